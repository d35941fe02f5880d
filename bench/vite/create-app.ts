import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { msw3, specifiersOf, understudy } from '../subjects/msw-like.ts'

const modules = 1000

/** A worker that declines each request, which is the least that a worker of a mocking library does. */
export const declining = 'a worker that declines'

/** The same, with static routes: the browser does not ask it about modules. */
export const routing = 'a worker with static routes'

/** The scripts of workers that mock nothing. */
const floorWorkers: Record<string, string> = {
  [declining]: `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', () => {})
`,
  [routing]: `addEventListener('install', (event) => {
  skipWaiting()
  event.waitUntil(event.addRoutes([{ condition: { requestDestination: 'script' }, source: 'network' }]))
})
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', () => {})
`,
}

/** Writes an app of a thousand modules for Vite, with or without a subject that mocks it. Returns its folder. */
export async function createApp(subject: string): Promise<string> {
  const floorWorker = floorWorkers[subject]
  const files: Record<string, string> = {
    ...listModules('src/app.js'),
    ...(floorWorker !== undefined && { 'public/worker.js': floorWorker }),
    'package.json': JSON.stringify({ name: 'bench-app', private: true, type: 'module' }),
    'index.html': '<!doctype html><title>bench</title><script type="module" src="/src/main.js"></script>',
    'src/main.js':
      subject === msw3 ? startsWorker : floorWorker === undefined ? `import './app.js'\n` : registersWorker,
    'src/mocks/handlers.js': handlersOf(subject === msw3 ? 'msw' : '@understudy/engine'),
    'vite.config.js':
      subject === understudy
        ? `import understudy from '@understudy/vite-plugin'\nexport default { plugins: [understudy({ quiet: true })] }\n`
        : 'export default {}\n',
  }
  return writeApp(`vite-${subject}`, files, subject === msw3)
}

/** Returns a thousand modules, and one that imports all of them. */
export function listModules(importer: string): Record<string, string> {
  const numbers = Array.from({ length: modules }, (_, index) => index)
  const files: Record<string, string> = {
    [importer]: [
      ...numbers.map((index) => `import m${index} from './modules/m${index}.js'`),
      `const sum = [${numbers.map((index) => `m${index}`).join(', ')}].reduce((total, value) => total + value, 0)`,
      'globalThis.appRan = { sum, milliseconds: performance.now() }',
    ].join('\n'),
  }
  for (const index of numbers) files[`src/modules/m${index}.js`] = `export default ${index}\n`
  return files
}

/**
 * Writes the files of an app into a new folder. Returns the folder.
 *
 * @param hasMswWorker whether MSW's worker script is in its `public` folder
 */
export async function writeApp(name: string, files: Record<string, string>, hasMswWorker = false): Promise<string> {
  const folder = join(import.meta.dirname, '../.tmp', name.toLowerCase().replaceAll(/\W+/g, '-'))
  await rm(folder, { recursive: true, force: true })
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await writeFile(join(folder, file), text)
  }
  if (hasMswWorker) {
    await mkdir(join(folder, 'public'))
    await copyFile(
      fileURLToPath(import.meta.resolve(specifiersOf(msw3).worker)),
      join(folder, 'public/mockServiceWorker.js'),
    )
  }
  return folder
}

/** The sum of the modules' values if all of them ran. */
export const expectedSum: number = (modules * (modules - 1)) / 2

function handlersOf(specifier: string): string {
  return `import { http, HttpResponse } from '${specifier}'
export const handlers = [http.get('/api/user', () => HttpResponse.json({ name: 'Ada' }))]
`
}

/** The code of its documentation. */
const startsWorker = `import { setupWorker } from 'msw/browser'
import { handlers } from './mocks/handlers.js'
await setupWorker(...handlers).start({ quiet: true, onUnhandledFrame: 'bypass' })
await import('./app.js')
`

const registersWorker = `navigator.serviceWorker.register('/worker.js')
import './app.js'
`
