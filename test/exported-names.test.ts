import * as engine from '@understudy/engine'
import * as bootstrap from '@understudy/engine/bootstrap'
import * as bootstrapNode from '@understudy/engine/bootstrap-node'
import * as browser from '@understudy/engine/browser'
import * as dev from '@understudy/engine/dev'
import * as faults from '@understudy/engine/faults'
import * as inspect from '@understudy/engine/inspect'
import * as engineMsw from '@understudy/engine/msw'
import * as node from '@understudy/engine/node'
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
  '@understudy/engine/bootstrap': bootstrap,
  '@understudy/engine/bootstrap-node': bootstrapNode,
  '@understudy/engine/browser': browser,
  '@understudy/engine/dev': dev,
  '@understudy/engine/faults': faults,
  '@understudy/engine/inspect': inspect,
  '@understudy/engine/msw': engineMsw,
  '@understudy/engine/node': node,
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

// A changed snapshot is a changed public face: update it on purpose, with `npm run test:only -- exported-names -u`.
test.for(Object.entries(entries))('%s exports these names and no others', ([, entry]) => {
  expect(Object.keys(entry).sort()).toMatchSnapshot()
})
