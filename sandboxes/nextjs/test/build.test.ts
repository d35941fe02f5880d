/** Tests that a production build of the app contains no mocks, and sends real requests. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit } from '../../../test/acceptance/browser.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import type { Project } from '../../../test/acceptance/project.ts'
import { findPort, runTool } from '../../../test/acceptance/run-tool.ts'
import { cli, createApp, startDev } from './next-server.ts'

let backend: CountingBackend
let project: Project

beforeAll(async () => {
  ;[backend, project] = await Promise.all([startBackend(), createApp()])
})

afterAll(async () => {
  await backend.close()
  await project.dispose()
})

async function build(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const env = { NEXT_TELEMETRY_DISABLED: '1', API_ORIGIN: backend.origin }
  const tool = runTool(cli, ['build', ...args], { folder: project.folder, env })
  return { code: await tool.exit, output: tool.output }
}

async function expectNoMocks(): Promise<void> {
  const folder = join(project.folder, '.next')
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(({ parentPath, name }) =>
    /^(server|static)/.test(join(parentPath, name).slice(folder.length + 1)),
  )
  const scripts = files.filter((entry) => entry.isFile() && /\.(js|html|json|rsc)$/.test(entry.name))
  expect(scripts.length).toBeGreaterThan(10)
  for (const { parentPath, name } of scripts) {
    expect(await readFile(join(parentPath, name), 'utf8'), name).not.toMatch(/A mocked|understudy:|createMocking/)
  }
}

test('built with Turbopack, it contains no mocks: it makes real requests, and has neither worker nor panel', async () => {
  const browser = await launchBrowser()
  const dev = await startDev(project, { env: { API_ORIGIN: backend.origin } })
  const visit = await openVisit(browser)
  await visit.page.goto(dev.origin)
  await visit.page.getByText('42 seats left').waitFor()
  await dev.process.stop()
  expect(backend.requests).toEqual([])

  const { code, output } = await build([])
  expect(code, output).toBe(0)
  await expectNoMocks()
  const port = await findPort()
  const env = { NEXT_TELEMETRY_DISABLED: '1', API_ORIGIN: backend.origin }
  const server = runTool(cli, ['start', '--port', String(port)], { folder: project.folder, env })
  await server.untilSaid(/Ready in/)
  const other = await openVisit(browser)
  await other.page.goto(`http://localhost:${port}/`)
  await expect.poll(() => backend.requests).toContain('GET /api/title')
  await expect.poll(() => backend.requests).toContain('GET /api/seats')
  expect(await other.page.evaluate('navigator.serviceWorker.controller')).toBe(null)
  expect((await fetch(`http://localhost:${port}/__understudy/`)).status).toBe(404)
  expect((await fetch(`http://localhost:${port}/understudy-worker.js`)).status).toBe(404)
  await Promise.all([browser.close(), server.stop()])
})

test('built with webpack, it contains no mocks', async () => {
  const { code, output } = await build(['--webpack'])
  expect(code, output).toBe(0)
  await expectNoMocks()
})

describe.for([
  ['Turbopack', [], 'src/mocks/handlers.ts'],
  ['webpack', ['--webpack'], 'src/app/seats.tsx'],
] as const)('built with %s', ([_name, args, named]) => {
  test('if a page imports the handlers, the build fails and names the file or the imports', async () => {
    await project.edit(
      'src/app/seats.tsx',
      'import { useEffect',
      "import { handlers } from '../mocks/handlers'\nimport { useEffect",
    )
    await project.edit('src/app/seats.tsx', "useState('')", 'useState(String(handlers.length))')
    const { code, output } = await build(args)
    await project.edit('src/app/seats.tsx', 'useState(String(handlers.length))', "useState('')")
    await project.edit('src/app/seats.tsx', "import { handlers } from '../mocks/handlers'\n", '')
    expect(code).not.toBe(0)
    expect(output).toContain('[understudy] Failed to leave mocks out of the build')
    expect(output).toContain(named)
  })

  // `test/webpack` tests it with webpack.
  if (args.length > 0) return

  test('if a web worker imports the handlers, the build fails', async () => {
    const worker = "new Worker(new URL('./beside.ts', import.meta.url))"
    await project.write(
      'src/app/beside.ts',
      "import { handlers } from '../mocks/handlers'\npostMessage(handlers.length)\n",
    )
    await project.edit('src/app/seats.tsx', 'useEffect(() => {', `useEffect(() => {\n    ${worker}`)
    const { code, output } = await build(args)
    await project.edit('src/app/seats.tsx', `useEffect(() => {\n    ${worker}`, 'useEffect(() => {')
    await project.remove('src/app/beside.ts')
    expect(code).not.toBe(0)
    expect(output).toContain('[understudy] Failed to leave mocks out of the build')
    expect(output).toContain(named)
  })
})

test('UnderstudyWebpackPlugin says that Next does not serve its worker', async () => {
  const config = await project.read('next.config.ts')
  await project.write(
    'next.config.ts',
    `import { UnderstudyWebpackPlugin } from '@understudy/webpack-plugin'
export default { webpack: (config: { plugins: unknown[] }) => { config.plugins.push(new UnderstudyWebpackPlugin()); return config } }
`,
  )
  const dev = await startDev(project, { args: ['--webpack'], env: { API_ORIGIN: backend.origin } })
  const response = await fetch(dev.origin)
  expect(response.status).toBe(500)
  await dev.process.untilSaid(/withUnderstudy\(\) from @understudy\/webpack-plugin\/next/)
  await dev.process.stop()
  await project.write('next.config.ts', config)
})
