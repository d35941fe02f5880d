import type { RspackPluginInstance } from '@rspack/core'
import { assertType, expectTypeOf, test } from 'vitest'
import type { WebpackPluginInstance } from 'webpack'

import { UnderstudyWebpackPlugin } from './understudy-webpack-plugin.ts'

test('is a plugin of webpack, and one of Rspack', () => {
  assertType<WebpackPluginInstance>(new UnderstudyWebpackPlugin())
  assertType<RspackPluginInstance>(new UnderstudyWebpackPlugin())
})

test('knows its options', () => {
  expectTypeOf(UnderstudyWebpackPlugin).toBeConstructibleWith({ enabled: true, worker: { file: 'sw.js' } })
  // @ts-expect-error "enable" is not an option
  void new UnderstudyWebpackPlugin({ enable: true })
})
