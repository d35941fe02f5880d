import { globSync, readFileSync } from 'node:fs'

import * as engine from '@understudy/engine'
import * as browser from '@understudy/engine/browser'
import * as faults from '@understudy/engine/faults'
import * as inspect from '@understudy/engine/inspect'
import * as dev from '@understudy/engine/internal/dev'
import * as bootstrapNode from '@understudy/engine/internal/node'
import * as bootstrap from '@understudy/engine/internal/page'
import * as share from '@understudy/engine/internal/share'
import * as engineMsw from '@understudy/engine/msw'
import * as native from '@understudy/engine/native'
import * as network from '@understudy/engine/network'
import * as node from '@understudy/engine/node'
import * as scenarios from '@understudy/engine/scenarios'
import * as server from '@understudy/engine/server'
import * as serverNode from '@understudy/engine/server/node'
import * as panel from '@understudy/panel'
import * as panelServer from '@understudy/panel/server'
import * as panelSettings from '@understudy/panel/settings'
import * as storybookAddon from '@understudy/storybook-addon'
import * as storybookPreset from '@understudy/storybook-addon/preset'
import * as storybookPreview from '@understudy/storybook-addon/preview'
import * as vitePlugin from '@understudy/vite-plugin'
import * as vitest from '@understudy/vite-plugin/vitest'
import * as vitestBrowser from '@understudy/vite-plugin/vitest/browser'
import * as vitestNode from '@understudy/vite-plugin/vitest/node'
import * as webpackPlugin from '@understudy/webpack-plugin'
import { expect, test } from 'vitest'

const entries = {
  '@understudy/engine': engine,
  '@understudy/engine/internal/page': bootstrap,
  '@understudy/engine/internal/node': bootstrapNode,
  '@understudy/engine/internal/share': share,
  '@understudy/engine/browser': browser,
  '@understudy/engine/internal/dev': dev,
  '@understudy/engine/faults': faults,
  '@understudy/engine/inspect': inspect,
  '@understudy/engine/msw': engineMsw,
  '@understudy/engine/native': native,
  '@understudy/engine/network': network,
  '@understudy/engine/node': node,
  '@understudy/engine/scenarios': scenarios,
  '@understudy/engine/server': server,
  '@understudy/engine/server/node': serverNode,
  '@understudy/panel': panel,
  '@understudy/panel/server': panelServer,
  '@understudy/panel/settings': panelSettings,
  '@understudy/storybook-addon': storybookAddon,
  '@understudy/storybook-addon/preset': storybookPreset,
  '@understudy/storybook-addon/preview': storybookPreview,
  '@understudy/vite-plugin': vitePlugin,
  '@understudy/webpack-plugin': webpackPlugin,
  '@understudy/vite-plugin/vitest': vitest,
  '@understudy/vite-plugin/vitest/browser': vitestBrowser,
  '@understudy/vite-plugin/vitest/node': vitestNode,
}

// A changed snapshot means a changed public API. Update it on purpose with `npm run test:only -- exported-names -u`.
test.for(Object.entries(entries))('%s exports these names and no others', ([, entry]) => {
  expect(Object.keys(entry).sort()).toMatchSnapshot()
})

/** Reads the rows of docs/entries.md: the names in the last column, by entry. */
function readDocumentedEntries(): ReadonlyMap<string, readonly string[]> {
  const page = readFileSync(new URL('../docs/entries.md', import.meta.url), 'utf8')
  const rows = page.matchAll(/^\| `(@understudy\/[^`]+)` \|.*\|([^|]*)\|$/gm)
  return new Map(
    Array.from(rows, ([, entry = '', names = '']) => [
      entry,
      Array.from(names.matchAll(/`([^`]+)`/g), ([, name = '']) => name).sort(),
    ]),
  )
}

test('the documentation lists every entry of every package, and no others', () => {
  const root = new URL('..', import.meta.url)
  const exported = globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
    const { name, exports } = JSON.parse(readFileSync(new URL(file, root), 'utf8')) as { name: string; exports: object }
    return Object.keys(exports)
      .filter((key) => key !== './package.json')
      .map((key) => name + key.slice(1))
  })
  expect([...readDocumentedEntries().keys()].sort()).toEqual(exported.sort())
})

test.for(Object.entries(entries))('the documentation lists what %s exports', ([name, entry]) => {
  expect(readDocumentedEntries().get(name)).toEqual(Object.keys(entry).sort())
})
