import { describe, expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'
import { browser, viteProject } from './testing/projects.ts'

test.each([
  [`import { env } from './env'\n`, ''],
  [`import env from './env'\n`, ''],
  [`import env, { read } from './env'\n`, `import { read } from './env'\n`],
  [`import read, { env } from './env'\n`, `import read from './env'\n`],
  [`import { env, read, type Env, setting } from './env'\n`, `import { read, type Env } from './env'\n`],
  [`import { setting, env, read } from './env'\n`, `import { read } from './env'\n`],
  [`import {\n  env,\n  read,\n  setting,\n} from './env'\n`, `import {\n  read,\n} from './env'\n`],
  [`import { env, unused } from './env'\n`, `import { unused } from './env'\n`],
])('imports of removed start code go, because noUnusedLocals reports them: %j', async (before, after) => {
  const start = `async function prepare() {
if (env.mocks || setting(env)) await import('./mocks/browser').then(({ worker }) => worker.start())
}
`
  const rest = `export const value: Env = read()\nrender()\n`
  const { files, output } = await migrateFiles({
    ...viteProject,
    'src/main.ts': `${before}${start}\n${rest}`.replace('render()', 'prepare().then(() => render())'),
  })
  expect(files['src/main.ts'], output).toBe(after === '' ? rest : `${after}\n${rest}`)
})

test('imports that the callback of the start code uses stay', async () => {
  const { files } = await migrateFiles({
    ...viteProject,
    'src/main.ts': `import { env } from './env'
import { worker } from './mocks/browser'

worker.start().then(() => {
render(env)
})
`,
  })
  expect(files['src/main.ts']).toBe(`import { env } from './env'\n\nrender(env)\n`)
})

test.each([
  `import { worker } from './mocks/browser'\n\nworker.start().then(() => {\n  window.msw = { worker }\n  render()\n})\n`,
  `const start = async () => {\n  const { worker } = await import('./mocks/browser')\n  await worker.start()\n}\n\nstart().then(() => {\n  render()\n  restart = start()\n})\n`,
  `import { worker } from './mocks/browser'\n\nworker.start().finally(() => render(worker))\n`,
])('start code whose callback uses the worker stays, with a note: %j', async (main) => {
  const { files, output } = await migrateFiles({ ...viteProject, 'src/main.ts': main })
  expect(files['src/main.ts']).toBe(main)
  expect(files['src/mocks/browser.ts']).toContain('setupWorker(')
  expect(output).toContain('This code starts the worker.')
})

test('the name that JSX needs stays, although only removed code writes it', async () => {
  const { files } = await migrateFiles({
    ...viteProject,
    'src/main.jsx': `import React from 'react'

const prepare = async () => {
  if (React.isMocked) await import('./mocks/browser').then(({ worker }) => worker.start())
}
prepare().then(() => render(<App />))
`,
  })
  expect(files['src/main.jsx']).toBe(`import React from 'react'\n\nrender(<App />)\n`)
})

test('imports of a component that its template uses stay', async () => {
  const { files } = await migrateFiles({
    ...viteProject,
    'src/App.vue': `<script setup>
import { env } from './env'
if (env.mocks) import('./mocks/browser').then(({ worker }) => worker.start())
</script>
<template>{{ env.name }}</template>
`,
  })
  expect(files['src/App.vue']).toContain(`import { env } from './env'`)
})

test.each([
  ['import.meta.env.VITE_MOCKS === "true"', true],
  ['import.meta.env.DEV && !env.isReal', true],
  ['import.meta.env.DEV', false],
  ['!import.meta.env.PROD', false],
  [`process.env.NODE_ENV === 'development' && typeof window !== 'undefined'`, false],
  [`import.meta.env.MODE !== 'production'`, false],
])('a condition of the start code gets a note, unless it is about development: %s', async (condition, isNoted) => {
  const { output } = await migrateFiles({
    ...viteProject,
    'src/main.ts': `if (${condition}) {\n  const { worker } = await import('./mocks/browser')\n  await worker.start()\n}\nrender()\n`,
  })
  const note = `src/main.ts:1\n    The worker started only under this condition: ${condition}`
  expect(output.includes(note), output).toBe(isNoted)
})

test('a condition by which a function returns early gets a note', async () => {
  const { output } = await migrateFiles({
    ...viteProject,
    'src/main.ts': `async function prepare() {
if (!flags.mocks) return
const { worker } = await import('./mocks/browser')
await worker.start()
}
prepare().then(() => render())
`,
  })
  expect(output).toContain('src/main.ts:2\n    The worker started only under this condition: flags.mocks\n')
})

test.each([
  ['if (env.mocks) {', '}', 'env.mocks'],
  ['if (!env.mocks) return', '', 'env.mocks'],
  ['if (env.isReal) {\n  log()\n  return\n}', '', '!env.isReal'],
  ['if (env.a || env.b) return', '', '!(env.a || env.b)'],
  ['if (env.isReal) {\n  log()\n} else {', '}', '!env.isReal'],
])('the conditions of code that stays get a note: %j', async (before, after, condition) => {
  const { files, output } = await migrateFiles({
    ...viteProject,
    'src/mocks/index.ts': `import { env } from '../env'
export const enableMocking = async () => {
${before}
const { worker } = await import('./browser')
const { fillDatabase } = await import('./database')
await fillDatabase()
await worker.start()
${after}
}
`,
    'src/main.ts': `import { enableMocking } from './mocks'\n\nenableMocking().then(() => render())\n`,
  })
  expect(files['src/mocks/index.ts']).toContain('worker.start()')
  expect(output).toContain('Remove the code and the calls of its functions. Move other preparations')
  expect(output).toContain(`src/mocks/index.ts:3\n    The worker started only under this condition: ${condition}\n`)
})

test('the condition of an expression that stays gets a note', async () => {
  const { output } = await migrateFiles({
    ...viteProject,
    'src/MocksProvider.tsx': `const ready =
typeof window !== 'undefined' && env.mocks ? import('./mocks/browser').then(({ worker }) => worker.start().then(log)) : undefined
env.more && import('./mocks/browser')
export const Mocks = () => use(ready)
`,
  })
  expect(output).toContain(`The worker started only under this condition: typeof window !== 'undefined' && env.mocks\n`)
})

test.each([
  `import { setupWorker } from 'msw/browser'\nimport { handlers } from './handlers'\n\nexport default setupWorker(...handlers)\n`,
  `${browser}\nexport default worker\n`,
  browser.replace('export const', 'const') + `\nexport { worker as default }\n`,
])('a worker that is exported by default: %j', async (module) => {
  const { files, output } = await migrateFiles({
    ...viteProject,
    'src/mocks/browser.ts': module,
    'src/main.ts': `import worker from './mocks/browser'\n\nworker.start()\nrender()\n`,
  })
  expect(files['src/main.ts'], output).toBe('render()\n')
  expect(files).not.toHaveProperty('src/mocks/browser.ts')
  expect(output).not.toContain('Move the other code')
})

test.each([
  ["const { worker } = await import('./mocks/browser')\nawait worker.start()\n\nrender()\n"],
  [
    "const { worker: mocks } = await import('./mocks/browser'); if (import.meta.env.DEV) await mocks.start()\nrender()\n",
  ],
  ["const mocks = await import('./mocks/browser')\nawait mocks.worker.start()\nrender()\n"],
])('a worker that is imported by a statement of the module is not named any more: %j', async (main) => {
  const { files } = await migrateFiles({ ...viteProject, 'src/main.ts': main })
  expect(files['src/main.ts']).toBe('render()\n')
  expect(files).not.toHaveProperty('src/mocks/browser.ts')
})

test('a worker that is imported by a statement of the module stays if other code uses it', async () => {
  const main = "const { worker } = await import('./mocks/browser')\nawait worker.start()\nwindow.worker = worker\n"
  const { files, output } = await migrateFiles({ ...viteProject, 'src/main.ts': main })
  expect(files['src/main.ts']).toBe(main)
  expect(output).toContain('src/main.ts:1\n    This code starts the worker. The plugin does that now. Remove')
})

describe('a worker module that starts the worker', () => {
  const start = (code: string, main = "import './mocks/browser'\n") =>
    migrateFiles({ ...viteProject, 'src/mocks/browser.ts': `${browser}\n${code}\n`, 'src/main.ts': main })

  test.each([
    ['a statement', "worker.start({ onUnhandledRequest: 'bypass', quiet: true })"],
    ['await', "await worker.start({ onUnhandledRequest: 'bypass', quiet: true })"],
    [
      'void, with options that have a name',
      "const options = { onUnhandledRequest: 'bypass', quiet: true } as const\nvoid worker.start(options)",
    ],
  ])('is removed, and the plugin gets the options: %s', async (_name, code) => {
    const { files } = await start(code)
    expect(files['vite.config.ts']).toContain("understudy({ onUnhandledRequest: 'bypass', quiet: true })")
    expect(files).not.toHaveProperty(['src/mocks/browser.ts'])
    expect(files['src/main.ts']).toBe('')
  })

  test.each([
    [
      'a function',
      "export const startWorker = () => worker.start({ onUnhandledRequest: 'bypass', serviceWorker: { url: '/app/mockServiceWorker.js', options: { scope: '/app/' } } })",
      "import { startWorker } from './mocks/browser'\n\nstartWorker()\n",
    ],
    [
      'options of the module’s own',
      "export const options = { onUnhandledRequest: 'bypass', serviceWorker: { options: { scope: '/app/' } } }",
      "import { options, worker } from './mocks/browser'\n\nworker.start(options)\n",
    ],
  ])('stays with a note, and the plugin gets the options: %s', async (_name, code, main) => {
    const { files, output } = await start(code, main)
    expect(files['vite.config.ts']).toContain("understudy({ onUnhandledRequest: 'bypass' })")
    expect(output).toContain('worker.start() had the scope \'/app/\'. Set the option "worker" of the plugin')
  })

  test('has a note for options that the command cannot read', async () => {
    const { output } = await start('', "import { worker } from './mocks/browser'\n\nworker.start(createOptions())\n")
    expect(output).toContain('src/main.ts:3\n    Pass the options of worker.start() to the plugin: createOptions()')
  })

  test.each([
    [
      'that a function creates',
      'const options = createOptions(import.meta.env)\nworker.start(options)',
      'createOptions(import.meta.env)',
    ],
    [
      'that are arguments of a function',
      'worker.start(createOptions(import.meta.env, { quiet: true }))',
      'createOptions(import.meta.env, { quiet: true })',
    ],
    ['that another object gives', 'const options = { ...shared, quiet: true }\nworker.start(options)', '...shared'],
  ])('keeps options %s in a note or in the file', async (_name, code, expected) => {
    const { files, output } = await start(code)
    expect(output + (files['src/mocks/browser.ts'] ?? '')).toContain(expected)
  })
})
