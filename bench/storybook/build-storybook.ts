import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { writeApp } from '../vite/create-app.ts'

const run = promisify(execFile)

/** An addon that mocks the requests of stories. */
export interface AddonSubject {
  readonly name: string
  /** The specifier from which its handlers are imported. */
  readonly specifier: string
  /** The parameter with a story's handlers. */
  readonly parameter: string
}

/**
 * Builds a static Storybook with two stories, mocked by an addon. Returns the folder.
 *
 * @param addon without it, the stories make no requests
 */
export async function buildStorybook(addon: AddonSubject | undefined): Promise<string> {
  const { name = 'none', specifier = '@understudy/engine', parameter = 'none' } = addon ?? {}
  const isMsw = specifier === 'msw'
  const folder = await writeApp(
    `storybook-${name}`,
    {
      'package.json': JSON.stringify({ name: 'bench-storybook', private: true, type: 'module' }),
      '.storybook/main.js': `export default {
  framework: '@storybook/html-vite',
  stories: ['../src/*.stories.js'],
  addons: ${JSON.stringify(addon ? [name] : [])},
  ${isMsw ? "staticDirs: ['../public']," : ''}
  core: { disableTelemetry: true },
}
`,
      '.storybook/preview.js': isMsw ? startsWorker : 'export default {}\n',
      'src/mocks/handlers.js': `import { http, HttpResponse } from '${specifier}'
export const handlers = Array.from({ length: 50 }, (_, index) => http.get('/api/item-' + index, () => HttpResponse.json({ index })))
`,
      'src/switch.stories.js': `import { http, HttpResponse } from '${specifier}'

const render = (args) => {
  const element = document.createElement('p')
  const show = async () => {
    const { value } = ${addon ? "await (await fetch('/api/value')).json()" : 'args'}
    element.textContent = 'mocked ' + value
    dispatchEvent(new CustomEvent('shown', { detail: value }))
  }
  void show()
  return element
}
const answer = (value) => ({ args: { value }, parameters: { ${parameter}: [http.get('/api/value', () => HttpResponse.json({ value }))] } })

export default { title: 'switch', render }
export const One = answer('one')
export const Two = answer('two')
`,
    },
    isMsw,
  )
  const command = join(
    dirname(createRequire(import.meta.url).resolve('storybook/package.json')),
    'dist/bin/dispatcher.js',
  )
  await run(process.execPath, [command, 'build', '--quiet', '--disable-telemetry', '--output-dir', 'static'], {
    cwd: folder,
  })
  return join(folder, 'static')
}

/** The code of its documentation. */
const startsWorker = `import { setupWorker } from 'msw/browser'
import { mswLoader } from 'msw-storybook-addon/csf3'
import { handlers } from '../src/mocks/handlers.js'
const start = async () => {
  const worker = setupWorker(...handlers)
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' })
  return worker
}
export default { loaders: [mswLoader(start)] }
`
