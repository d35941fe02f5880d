import * as React from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'

import type { TabsProps } from './kit/kit.ts'
import type { PanelHost, PanelState } from './panel-host.ts'
import { Panel } from './Panel.tsx'

const handler = {
  id: 1,
  kind: 'request',
  header: 'GET /user',
  layer: 'scoped',
  origin: { file: 'http://localhost/src/handlers.ts', line: 3, column: 1 },
  hits: 2,
  enabled: false,
  isUsedUp: false,
  shadowedBy: null,
  override: null,
} as const

function createHost(state: PanelState | null, given: Partial<PanelHost> = {}): PanelHost {
  const refuse = (): Promise<never> => Promise.reject(new Error('This test calls no command.'))
  return {
    getState: () => state,
    subscribe: () => () => {},
    setEnabled: refuse,
    override: refuse,
    reset: refuse,
    details: refuse,
    ...given,
  }
}

const state: PanelState = {
  handlers: [handler],
  requests: [],
  connections: [],
  info: {
    title: 'App',
    url: null,
    notices: ['There is <no> worker.'],
    labels: [{ id: 1, layer: 'Story', group: 'auth' }],
  },
}

/** Returns the rendered text, without React's comments. */
const render = (...props: Parameters<typeof Panel>): string =>
  renderToString(React.createElement(Panel, props[0])).replaceAll('<!-- -->', '')

test('a host’s names of layers and groups are shown, and its notices are at the top', () => {
  const html = render({ host: createHost(state) })
  expect(html).toContain('aria-label="Story: auth"')
  expect(html).toContain('There is &lt;no&gt; worker.')
  expect(html).toContain('1 handler overridden')
})

test('a place is a button if the host opens an editor, or else text', () => {
  expect(render({ host: createHost(state) })).not.toContain('in the editor')
  expect(render({ host: createHost(state, { openInEditor: () => {} }) })).toContain(
    'Open src/handlers.ts:3 in the editor',
  )
})

test('a host’s components and colors replace the panel’s', () => {
  const Tabs = ({ tabs, children }: TabsProps): React.ReactElement =>
    React.createElement('div', { className: 'of-the-host' }, tabs.map(({ title }) => title).join(), children)
  const theme = { colorScheme: 'dark', accent: 'rebeccapurple' } as const
  const html = render({ host: createHost(state), kit: { Tabs }, theme })
  expect(html).toContain('<div class="of-the-host">Handlers,Requests,Unhandled')
  expect(html).not.toContain('us-tabs-bar"')
  expect(html).toContain('style="--understudy-accent:rebeccapurple;color-scheme:dark"')
})

test('without a state of the network, the panel says that it waits', () => {
  expect(render({ host: createHost(null) })).toContain('Waiting for the page')
})
