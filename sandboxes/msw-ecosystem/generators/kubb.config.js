import { defineConfig } from '@kubb/core'
import { pluginFaker } from '@kubb/plugin-faker'
import { pluginMsw } from '@kubb/plugin-msw'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

export default defineConfig({
  root: '.',
  input: { path: './openapi.yaml' },
  output: { path: '../.tmp/generated/kubb', clean: true, extension: { '.ts': '.ts' } },
  plugins: [
    pluginOas(),
    pluginTs(),
    pluginFaker(),
    pluginMsw({ handlers: true, parser: 'faker', baseURL: 'https://api.example.com' }),
  ],
})
