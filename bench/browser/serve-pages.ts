import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { build } from 'esbuild'

import { answer, mswLikes, specifiersOf, understudyInPage } from '../subjects/msw-like.ts'

/** The names of the subjects that are not libraries, for comparison. */
export const noMocking = 'no mocking'
export const workerAlone = 'a worker that answers without a page'

/** Serves the pages of all subjects from one origin, and answers their unmocked requests. */
export async function servePages(subjects: readonly string[]): Promise<{ server: Server; origin: string }> {
  const scripts = new Map<string, string>()
  for (const subject of subjects) {
    scripts.set(`/${slugOf(subject)}.js`, await bundlePage(subject))
    if (mswLikes.has(subject)) {
      const path = new URL(import.meta.resolve(specifiersOf(subject).worker))
      scripts.set(`/${slugOf(subject)}-worker.js`, await readFile(path, 'utf8'))
    }
  }
  scripts.set(`/${slugOf(workerAlone)}-worker.js`, lonelyWorker)
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const script = scripts.get(pathname)
    if (script !== undefined) {
      response.setHeader('Content-Type', 'text/javascript')
      // A second visit finds the script in the cache, like a script with a hash in its name.
      response.setHeader('Cache-Control', pathname.endsWith('-worker.js') ? 'no-cache' : 'max-age=3600')
      response.end(script)
    } else if (pathname === '/real') {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify(answer))
    } else if (pathname.endsWith('.html')) {
      response.setHeader('Content-Type', 'text/html')
      response.end(
        `<!doctype html><title>bench</title><script type="module" src="${pathname.replace('.html', '.js')}"></script>`,
      )
    } else {
      response.statusCode = 404
      response.end()
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` }
}

/** Returns a subject's name for URLs. */
export function slugOf(subject: string): string {
  return subject.toLowerCase().replaceAll(/\W+/g, '-')
}

async function bundlePage(subject: string): Promise<string> {
  const worker = subject === noMocking ? undefined : JSON.stringify(`/${slugOf(subject)}-worker.js`)
  const specifiers = mswLikes.get(subject)
  const { outputFiles } = await build({
    stdin: {
      contents: [
        ...(specifiers
          ? [
              `import * as core from ${JSON.stringify(specifiers.core)}`,
              `import { setupWorker } from ${JSON.stringify(specifiers.browser)}`,
              `globalThis.subject = { core, setupWorker, worker: ${worker}, answer: '${subject === understudyInPage ? 'page' : 'worker'}' }`,
            ]
          : [`globalThis.subject = { worker: ${worker} }`]),
        `import('./page.ts')`,
      ].join('\n'),
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    // Dynamic imports are in the bundle, because the benchmark measures speed and not loading.
    splitting: false,
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

/** The floor: a worker that contains the answer. */
const lonelyWorker = `
const bytes = new Uint8Array(10 * 1024 * 1024).fill(97)
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  if (pathname === '/items/last') event.respondWith(Response.json(${JSON.stringify(answer)}))
  if (pathname === '/download') event.respondWith(new Response(bytes))
  if (pathname === '/upload') event.respondWith(event.request.arrayBuffer().then((body) => new Response(String(body.byteLength))))
})
`
