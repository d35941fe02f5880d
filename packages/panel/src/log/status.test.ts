import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'

import { createRequest } from '../testing/create-request.ts'
import { Status } from './Status.tsx'

/** Returns the text, the shape and the color. */
function render(given: Partial<LoggedRequest>): readonly (string | undefined)[] {
  const html = renderToString(React.createElement(Status, { request: createRequest('1', given) })).replaceAll(
    '<!-- -->',
    '',
  )
  const attribute = (name: string): string | undefined => new RegExp(`data-${name}="([^"]*)"`).exec(html)?.[1]
  return [html.replaceAll(/<[^>]*>/g, ''), attribute('shape'), attribute('tone')]
}

test.each<[Partial<LoggedRequest>, ...(string | undefined)[]]>([
  [{ outcome: 'unhandled', status: 404, suggestion: '' }, 'no mock 404', 'unhandled', 'negative'],
  [{ outcome: 'unhandled', status: 200, suggestion: '' }, 'no mock 200', 'unhandled', 'warning'],
  [{ outcome: 'unhandled', status: null, suggestion: '' }, 'no mock', 'unhandled', 'warning'],
  [{ outcome: 'passthrough', status: 200 }, 'network 200', 'passthrough', undefined],
  [{ outcome: 'passthrough', status: 503 }, 'network 503', 'passthrough', 'negative'],
  [{ outcome: 'passthrough', status: null }, 'network', 'passthrough', undefined],
  [{ outcome: 'mocked', status: 404 }, '404', '4xx', 'negative'],
  [{ outcome: 'network-error', status: null }, 'failed', 'failed', 'negative'],
  [{ outcome: 'pending', status: null, duration: null }, 'pending', 'pending', 'pending'],
])('%o is shown as "%s"', (request, ...shown) => {
  expect(render(request)).toEqual(shown)
})
