import * as React from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'

import { JsonTree } from './JsonTree.tsx'
import { readBody } from './read-body.ts'
import { showJson } from './show-json.ts'

function show(text: string): string {
  const shown = readBody({ type: 'application/json', size: text.length, text, base64: null, isComplete: true })
  if (shown.as !== 'json') throw new Error(`It is shown as ${shown.as}.`)
  return renderToString(React.createElement(JsonTree, { value: shown.value, shown: showJson(shown.value, '') }))
}

test('integers beyond 2^53 are shown with all digits, also in the preview of a closed node', () => {
  const html = show('{"id":1234567890123456789,"deep":[{"closed":[-9007199254740993]}],"pi":3.14,"no":null,"is":true}')
  expect(html).toContain('<span data-type="bigint">1234567890123456789</span>')
  expect(html).toContain('closed: […]')
  expect(html).toContain('<span data-type="number">3.14</span>')
  expect(html).toContain('<span data-type="null">null</span>')
  expect(html).toContain('<span data-type="boolean">true</span>')
  expect(show('[[[-9007199254740993]]]')).toContain('-9007199254740993')
})
