import { describe, expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'
import { browser, handlers, manifest, viteConfig, viteProject } from './testing/projects.ts'

describe('a Vite app', () => {
  test('keeps byte order marks, with which JSON.parse fails', async () => {
    const mark = '\uFEFF'
    const { code, files, output } = await migrateFiles({
      'package.json': `${mark}{ "devDependencies": { "msw": "2" } }`,
      'src/a.ts': `${mark}import { http } from 'msw'\n`,
      'src/b.ts': `${mark}export {}\n`,
    })
    expect(code, output).toBe(0)
    expect(files['package.json']).toMatch(/^\uFEFF\{\n {2}"devDependencies": \{\n {4}"@understudy\/engine"/)
    expect(files['src/a.ts']).toBe(`${mark}import { http } from '@understudy/engine'\n`)
    expect(output).not.toContain('src/b.ts')
  })

  test('keeps the line breaks of files that end their lines with CRLF', async () => {
    const main = `import { worker } from './mocks/browser'\n\nworker.start().then(() => {\n  render()\n})\n`
    const entries = Object.entries({ ...viteProject, 'src/main.ts': main })
    const { files } = await migrateFiles(
      Object.fromEntries(entries.map(([path, text]) => [path, text.replaceAll('\n', '\r\n')])),
    )
    expect(files['src/main.ts']).toBe('render()\r\n')
    for (const [path, text] of Object.entries(files)) expect(text.replaceAll('\r\n', ''), path).not.toContain('\n')
    expect(files['vite.config.ts']).toContain(`\r\nimport understudy from '@understudy/vite-plugin'\r\n`)
  })

  test('gets the plugin, and loses the worker, its module and the start code', async () => {
    const { code, files } = await migrateFiles({
      ...viteProject,
      'src/main.tsx': `import { createRoot } from 'react-dom/client'

import { App } from './App'

async function enableMocking() {
  if (process.env.NODE_ENV !== 'development') {
    return
  }

  const { worker } = await import('./mocks/browser')

  return worker.start({ onUnhandledRequest: 'bypass' })
}

enableMocking().then(() => {
  createRoot(document.getElementById('root')!).render(
    <App />,
  )
})
`,
    })
    expect(code).toBe(0)
    expect(Object.keys(files)).toEqual(['package.json', 'src/main.tsx', 'src/mocks/handlers.ts', 'vite.config.ts'])
    expect(files['src/main.tsx']).toBe(`import { createRoot } from 'react-dom/client'

import { App } from './App'

createRoot(document.getElementById('root')!).render(
  <App />,
)
`)
    expect(files['vite.config.ts']).toBe(`import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import understudy from '@understudy/vite-plugin'

export default defineConfig({
  plugins: [react(), understudy({ onUnhandledRequest: 'bypass' })],
})
`)
    expect(files['package.json']).toBe(`{
  "name": "app",
  "devDependencies": {
    "@understudy/engine": "^0.1.0",
    "@understudy/vite-plugin": "^0.1.0",
    "vite": "^8.0.0"
  }
}
`)
  })

  test.each([
    [
      'a condition',
      `if (import.meta.env.DEV) {\n  const { worker } = await import('./mocks/browser')\n  await worker.start()\n}\n`,
    ],
    [
      'require',
      `if (process.env.NODE_ENV === 'development') {\n  const { worker } = require('./mocks/browser')\n  worker.start()\n}\n`,
    ],
    ['a promise', `if (import.meta.env.DEV) import('./mocks/browser').then(({ worker }) => worker.start())\n`],
    ['an import', `import { worker } from './mocks/browser'\n\nif (import.meta.env.DEV) worker.start()\n`],
    [
      'an arrow function',
      `const prepare = async (): Promise<void> => {\n  const { worker } = await import('./mocks/browser')\n  await worker.start()\n}\n\nawait prepare()\n`,
    ],
    ['a comment above it', `// Mocks the API.\nawait (await import('./mocks/browser')).worker.start()\n`],
  ])('start code: %s', async (_name, start) => {
    const { files, output } = await migrateFiles({ ...viteProject, 'src/main.ts': `${start}\nrender()\n` })
    expect(files['src/main.ts'], output).toBe('render()\n')
    expect(files).not.toHaveProperty('src/mocks/browser.ts')
  })

  test('worker.start().then(render)', async () => {
    const { files } = await migrateFiles({
      ...viteProject,
      'src/main.ts': `import { worker } from './mocks/browser'\nimport { render } from './render'\n\nworker.start().then(render)\n`,
    })
    expect(files['src/main.ts']).toBe(`import { render } from './render'\n\nrender()\n`)
  })

  test('"msw init" goes, also if a package keeps the name "msw": it would copy a worker that nothing uses', async () => {
    const { files } = await migrateFiles({
      ...viteProject,
      'package.json': JSON.stringify({
        scripts: { postinstall: 'msw init public/ --save && husky', worker: 'npx msw init public' },
        devDependencies: { '@mswjs/data': '^0.16.2', msw: '^2.14.0', vite: '^8.0.0' },
      }),
    })
    const { scripts, devDependencies } = JSON.parse(files['package.json'] ?? '') as Record<string, object>
    expect(devDependencies).toHaveProperty('msw', 'npm:@understudy/msw@^0.1.0')
    expect(scripts).toEqual({ postinstall: 'husky' })
  })

  test('other start code stays, with a note that has its line', async () => {
    const main = `import { worker } from './mocks/browser'\n\nsetDebug(worker)\nworker.start()\nrender()\n`
    const { files, output } = await migrateFiles({ ...viteProject, 'src/main.ts': main })
    expect(files['src/main.ts']).toBe(main)
    expect(files).toHaveProperty('src/mocks/browser.ts')
    expect(output).toContain('src/main.ts:1\n    This code starts the worker.')
  })

  test('the plugin gets the path of handlers in another file', async () => {
    const { files } = await migrateFiles({
      ...viteProject,
      'src/mocks/browser.ts': browser.replace('./handlers', '../api/mock-handlers'),
      'src/api/mock-handlers.ts': handlers,
    })
    expect(files['vite.config.ts']).toContain(`understudy({ handlers: 'src/api/mock-handlers.ts' })`)
  })

  test('handlers that setupWorker combines get a module', async () => {
    const { files } = await migrateFiles({
      'package.json': manifest,
      'vite.config.js': `module.exports = { plugins: [] }\n`,
      'src/mocks/browser.js': `import { setupWorker } from 'msw/browser'\nimport { user } from './user'\nimport { posts } from './posts'\n\nexport const worker = setupWorker(...user, ...posts)\n`,
      'src/mocks/user.js': 'export const user = []\n',
      'src/mocks/posts.js': 'export const posts = []\n',
    })
    expect(files['src/mocks/handlers.js']).toBe(
      `import { user } from './user'\nimport { posts } from './posts'\n\nexport const handlers = [...user, ...posts]\n`,
    )
    expect(files['vite.config.js']).toBe(
      `const understudy = require('@understudy/vite-plugin')\n\nmodule.exports = { plugins: [understudy()] }\n`,
    )
  })

  test('tests with their own server keep it', async () => {
    const { files } = await migrateFiles({
      ...viteProject,
      'src/test-set-up.ts': `import { setupServer } from 'msw/node'\nimport { handlers } from './mocks/handlers'\nexport const server = setupServer(...handlers)\n`,
    })
    expect(files['vite.config.ts']).toContain('understudy({ vitest: false })')
    expect(files['src/test-set-up.ts']).toContain('@understudy/engine/node')
  })

  test("MSW 3's plugin is replaced", async () => {
    const { files } = await migrateFiles({
      'package.json': manifest,
      'vite.config.ts': `import { msw } from 'msw/vite'\n\nexport default { plugins: [msw()] }\n`,
    })
    expect(files['vite.config.ts']).toBe(
      `import understudy from '@understudy/vite-plugin'\n\nexport default { plugins: [understudy()] }\n`,
    )
    expect(files['package.json']).toContain('@understudy/vite-plugin')
  })
})

describe('a monorepo', () => {
  test('each package is a separate project', async () => {
    const inApp = Object.fromEntries(Object.entries(viteProject).map(([file, text]) => [`apps/web/${file}`, text]))
    const { files, output } = await migrateFiles({
      ...inApp,
      'package.json': `{ "workspaces": ["apps/*"] }`,
      'apps/web/src/mocks/browser.ts': browser.replace('./handlers', './all'),
      'apps/web/src/mocks/all.ts': handlers,
      'apps/web/src/main.ts': `import { worker } from './mocks/browser'\nworker.start()\n`,
      'apps/api/package.json': `{ "name": "api" }`,
      'apps/api/a.test.ts': `import { setupServer } from 'msw/node'\n`,
    })
    expect(files['apps/web/vite.config.ts'], output).toContain(`understudy({ handlers: 'src/mocks/all.ts' })`)
    expect(files['apps/web/package.json']).toContain('@understudy/vite-plugin')
    expect(files['apps/web/src/main.ts']).toBe('')
    expect(files['apps/api/a.test.ts']).toContain('@understudy/engine/node')
    expect(files['apps/api/package.json']).toBe(`{ "name": "api" }`)
    expect(files['package.json']).toBe(`{ "workspaces": ["apps/*"] }`)
  })

  test('an app whose worker starts in another package gets the worker file', async () => {
    const { files, output } = await migrateFiles({
      'package.json': `{ "workspaces": ["apps/*", "packages/*"] }`,
      'packages/mocks/package.json': manifest.replace('"app"', '"@acme/mocks"'),
      'packages/mocks/src/browser.ts': browser,
      'packages/mocks/src/handlers.ts': handlers,
      'apps/web/package.json': `{ "devDependencies": { "@acme/mocks": "*" } }`,
      'apps/web/public/mockServiceWorker.js': '/* Mock Service Worker. */',
      'apps/web/vite.config.ts': viteConfig,
      'apps/web/src/main.ts': `import { worker } from '@acme/mocks/browser'\nawait worker.start()\n`,
    })
    expect(files['packages/mocks/src/browser.ts']).toContain('@understudy/engine/browser')
    expect(files['apps/web/public/understudy-worker.js'], output).toMatch(/addEventListener/)
    expect(files).not.toHaveProperty('apps/web/public/mockServiceWorker.js')
    expect(files['apps/web/src/main.ts']).toContain('worker.start()')
  })

  test('a package that gets a plugin and does not name MSW is noted', async () => {
    const { output } = await migrateFiles({
      ...viteProject,
      'package.json': manifest,
      'web/package.json': '{}',
      'web/vite.config.ts': viteConfig,
      'web/src/mocks/browser.ts': browser,
      'web/src/mocks/handlers.ts': handlers,
    })
    expect(output).toContain('web/package.json\n    Install @understudy/vite-plugin here.')
  })
})

describe('properties of files', () => {
  test('line ends of Windows stay', async () => {
    const { files } = await migrateFiles({
      ...viteProject,
      'src/main.ts': `import { a } from './a'\r\nimport { worker } from './mocks/browser'\r\n\r\nworker.start()\r\n\r\na()\r\n`,
    })
    expect(files['src/main.ts']).toBe(`import { a } from './a'\r\n\r\na()\r\n`)
  })

  test('files in node_modules and dist, and files that Git ignores, do not change', async () => {
    const before = {
      'node_modules/x/a.js': `import 'msw'\n`,
      'dist/a.js': `import 'msw'\n`,
      'src/a.js': `import 'msw'\n`,
    }
    const { files } = await migrateFiles(before)
    expect(files).toMatchObject({ ...before, 'src/a.js': `import '@understudy/engine'\n` })
  })
})

describe('the command', () => {
  const files = { 'src/a.ts': `import { http } from 'msw'\n` }

  test('--dry-run prints a diff and writes nothing', async () => {
    const result = await migrateFiles(files, { args: ['--dry-run'] })
    expect(result.files['src/a.ts']).toBe(files['src/a.ts'])
    expect(result.output).toContain(`-import { http } from 'msw'\n+import { http } from '@understudy/engine'`)
  })

  test.each([
    ['y', 0, '@understudy/engine'],
    ['', 1, 'msw'],
    ['no', 1, 'msw'],
  ])('asks, and is answered "%s"', async (answer, code, name) => {
    const result = await migrateFiles(files, { args: [], answer })
    expect(result.code).toBe(code)
    expect(result.files['src/a.ts']).toBe(`import { http } from '${name}'\n`)
  })

  test('without a terminal to ask in, it writes nothing and says what to do', async () => {
    const result = await migrateFiles(files, { args: [] })
    expect(result.code).toBe(1)
    expect(result.output).toContain('Failed to migrate: the terminal is not interactive. Pass --yes')
    expect(result.files['src/a.ts']).toBe(files['src/a.ts'])
  })

  test('a second run changes nothing', async () => {
    const first = await migrateFiles(viteProject)
    const second = await migrateFiles(first.files)
    expect(second.output).toBe('Nothing to change: no file of this project imports from "msw".')
    expect(second.files).toEqual(first.files)
  })

  test('a wrong option, and a folder without a manifest', async () => {
    expect((await migrateFiles(files, { args: ['--dryrun'] })).output).toMatch(
      /^Failed to migrate: Unknown option '--dryrun'/,
    )
    expect((await migrateFiles({}, { args: [] })).output).toContain('Nothing to change')
  })
})

test('handlers next to a list with the name "handlers" are exported by this name', async () => {
  const { files, output } = await migrateFiles({
    ...viteProject,
    'src/mocks/browser.ts':
      "import { http } from 'msw'\nimport { setupWorker } from 'msw/browser'\nimport { allHandlers, handlers } from './handlers'\n\nexport const worker = setupWorker(...handlers, ...allHandlers, http.get('/only-here', () => {}))\n",
    'src/main.tsx':
      "const { worker } = await import('./mocks/browser')\nawait worker.start({ onUnhandledFrame: 'bypass' })\n",
  })
  expect(files['src/mocks/browser-handlers.ts']).toBe(`import { http } from '@understudy/engine'
import { allHandlers, handlers } from './handlers'

const browserHandlers = [...handlers, ...allHandlers, http.get('/only-here', () => {})]
export { browserHandlers as handlers }
`)
  // The option of MSW 3 has the same strings.
  expect(files['vite.config.ts']).toContain(
    "understudy({ onUnhandledRequest: 'bypass', handlers: 'src/mocks/browser-handlers.ts' })",
  )
  expect(output).not.toContain('onUnhandledFrame')
})

test('handlers that the worker module declares are in the new module, with what they use', async () => {
  const { files } = await migrateFiles({
    ...viteProject,
    'src/mocks/browser.ts': `import { http, HttpResponse } from 'msw'
import { setupWorker } from 'msw/browser'

import { handlers } from './handlers'
import { log } from './log'

interface User {
  name: string
}
const user: User = { name: 'Ada' }
const answer = () => HttpResponse.json(user)
export const extra = [http.get('/extra', answer)]

export const worker = setupWorker(...handlers, ...extra)
log(worker)
`,
  })
  expect(files['src/mocks/browser-handlers.ts']).toBe(`import { http, HttpResponse } from '@understudy/engine'

import { handlers } from './handlers'

interface User {
  name: string
}
const user: User = { name: 'Ada' }
const answer = () => HttpResponse.json(user)
export const extra = [http.get('/extra', answer)]

const allHandlers = [...handlers, ...extra]
export { allHandlers as handlers }
`)
})

test("Yarn's own files stay and get no notes", async () => {
  const files = {
    '.pnp.cjs': 'const packages = [["msw", [["npm:2.14.0", {}]]]]\nmodule.exports = packages\n',
    '.pnp.loader.mjs': "export const name = 'msw'\n",
    '.yarn/releases/yarn-4.12.0.cjs': "require('msw')\n",
  }
  const result = await migrateFiles({
    ...files,
    'package.json': '{ "devDependencies": { "msw": "^2.14.0" } }\n',
    'src/handlers.ts': "import { http } from 'msw'\n",
  })
  expect(result.files).toMatchObject(files)
  expect(result.output).not.toMatch(/\.(?:pnp|yarn)/)
})
