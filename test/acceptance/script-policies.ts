import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import type { BuildTool, Extent, RunningServer } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { startPageServer } from './page-server.ts'
import { createProject, type Project } from './project.ts'
import { waitUntil, type BrowserDriver, type TestBrowser } from './test-browser.ts'

/** The first script of the page. It is a file, because the policies forbid inline scripts. */
const first = `window.answers = fetch('/api/first').then((response) => response.json()).then(({ from }) => from)
`

const createHtml = (meta: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    ${meta && `<meta http-equiv="Content-Security-Policy" content="${meta}" />`}
    <link rel="icon" href="data:," />
    <script src='/first.js'></script>
  </head>
  <body>
    <main>Policies</main>
  </body>
</html>
`

/** Policies under which the tool's page has the same scripts as under the others. */
const otherPolicies = [
  ['of a header: everything of the own origin', `default-src 'self'; connect-src * ws:; img-src * data:`, ''],
  ['of a header: trusted types for text', `script-src 'self'; require-trusted-types-for 'script'; trusted-types *`, ''],
  ['of both', `script-src 'self'`, `script-src 'self' 'unsafe-inline'`],
] as const

const main = `window.later = fetch('/api/later').then((response) => response.json()).then(({ from }) => from)
`

/** Tests that the gate is also the first script on pages whose Content Security Policy restricts scripts. */
export function testScriptPolicies(tool: BuildTool, driver: BrowserDriver = chromium, extent: Extent = 'all'): void {
  describe(`${tool.name} in ${driver.name}, with policies for scripts`, () => {
    let backend: CountingBackend
    let browser: TestBrowser
    let project: Project
    let server: RunningServer | undefined

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([
        startBackend(),
        driver.launch(),
        createProject('test/fixtures/first-line', { 'public/first.js': first, 'src/main.js': main }),
      ])
    })

    afterAll(async () => {
      await Promise.all([browser.close(), backend.close()])
      await project.dispose()
    })

    afterEach(async () => {
      await server?.stop()
      server = undefined
      backend.forget()
    })

    async function start(policy: string, meta: string): Promise<RunningServer> {
      const html = createHtml(meta)
      const entry = '<script type="module" src="./src/main.js"></script>'
      await project.write('index.html', html.replace('</body>', `${entry}</body>`))
      await tool.configure(project, { api: backend.origin, ...(policy && { policy }) })
      server = await tool.start(project)
      return server
    }

    /** Returns the answers to the first script and the entry, and what the browser has blocked. */
    async function visit(origin: string): Promise<object> {
      const { page, console: lines, close } = await browser.openVisit()
      await page.goto(origin)
      async function read(name: string): Promise<unknown> {
        await waitUntil(page, `globalThis.${name}`)
        return page.evaluate(`Promise.resolve(${name})`)
      }
      const answers = { first: await read('answers'), later: await read('later') }
      const refused = lines.filter((line) => /content[- ]security[- ]policy|trusted/i.test(line))
      await close()
      return { ...answers, refused, escaped: [...backend.requests] }
    }

    const answered = { first: 'the mock', later: 'the mock', refused: [], escaped: [] }

    test.for([
      ['of a header: the own origin', `script-src 'self'`, ''],
      // Without the option `devtool`, webpack evaluates modules as text.
      ['of the page: the own origin', '', `script-src 'self'${tool.compilesModules ? " 'unsafe-eval'" : ''}`],
      ...(extent === 'all' ? otherPolicies : []),
    ] as const)('%s', async ([_name, policy, meta], { skip }) => {
      skip(tool.compilesModules && policy.includes('trusted-types'), 'the tools’ own clients need a policy')
      const { origin } = await start(policy, meta)
      expect(await visit(origin)).toEqual(answered)
      // Later visits are answered by a worker, which must not hold the gate itself.
      expect(await visit(origin)).toEqual(answered)
    })

    test('if the policy allows no script of Understudy, the terminal says once what to add', async () => {
      const { origin, process } = await start('script-src https://cdn.example.com', '')
      for (let visits = 0; visits < 2; visits += 1) {
        const { page, close } = await browser.openVisit()
        await page.goto(origin)
        await close()
      }
      await expect.poll(() => process.output).toMatch(/Add 'self' or 'sha256-[\w+/]+=*' to its directive script-src/)
      expect(process.output.match(/The Content Security Policy of the page blocks/g)).toHaveLength(1)
    })

    test('of a proxy in front of the development server: the page says once what to add, and that policy works', async () => {
      const { origin } = await start('', '')
      const html = await (await fetch(origin)).text()
      const evaluation = tool.compilesModules ? " 'unsafe-eval'" : ''
      const open = async (source: string): Promise<{ told: string[]; later: unknown; escaped: string[] }> => {
        const policy = `script-src 'self'${evaluation} ${source}`
        const proxy = await startPageServer({ html, policy, api: backend.origin, proxy: origin })
        const { page, console: lines, close } = await browser.openVisit()
        try {
          await page.goto(proxy.origin)
          await page.waitForFunction('globalThis.later')
          const later = await page.evaluate('later')
          await page.evaluate('answers')
          const told = lines.filter((line) => line.includes('[understudy] The Content Security Policy'))
          return { told, later, escaped: backend.requests.filter((request) => request.includes('/api/first')) }
        } finally {
          await close()
          await proxy.close()
          backend.forget()
        }
      }
      const { told, later, escaped } = await open('')
      expect(escaped).toEqual(['GET /api/first'])
      // Vite evaluates the app's modules beside the one that starts mocking.
      expect(later).toMatch(tool.compilesModules ? /the mock/ : /^the /)
      expect(told).toHaveLength(1)
      const [source = 'no source'] = /'sha256-[^']+'/.exec(told.join()) ?? []
      expect(await open(source)).toEqual({ told: [], later: 'the mock', escaped: [] })
    })

    test('of the server of a build: the page says once what to add, and is mocked with that policy', async ({
      skip,
    }) => {
      skip(tool.compilesModules, 'each of their entries has the gate as its first module')
      await project.write(
        'index.html',
        createHtml('').replace('</body>', '<script type="module" src="./src/main.js"></script></body>'),
      )
      await tool.configure(project, { plugin: { enabled: true }, api: backend.origin, policy: "script-src 'self'" })
      const { code, output } = await tool.build(project)
      expect(code, output).toBe(0)
      server = await tool.serve(project)
      const { page, console: lines, close } = await browser.openVisit()
      await page.goto(server.origin)
      const told = (): string[] => lines.filter((line) => line.includes('[understudy] The Content Security Policy'))
      await expect.poll(told).toHaveLength(1)
      const [source = ''] = /'sha256-[^']+'/.exec(told().join()) ?? []
      await expect
        .poll(() =>
          page.evaluate(() => fetch('/api/after').then(async (response) => (await response.json()) as unknown)),
        )
        .toEqual({ from: 'the mock' })
      await close()
      await server.stop()

      // The source in the message solves the problem.
      await tool.configure(project, {
        plugin: { enabled: true },
        api: backend.origin,
        policy: `script-src 'self' ${source}`,
      })
      server = await tool.serve(project)
      backend.forget()
      expect(await visit(server.origin)).toEqual(answered)
    })
  })
}
