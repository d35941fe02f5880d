import { basename } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { BuildTool, Extent } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { savingUntil } from './project.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestPage, TestVisit } from './test-browser.ts'

declare global {
  /** Returns the text of the response at a path. */
  var ask: (path: string) => Promise<string>
  /** The value that `expose: true` sets on the window. */
  var understudy: typeof import('@understudy/engine') & { worker: import('@understudy/engine/browser').SetupWorker }
}

const handlersFile = 'src/mocks/handlers.js'

/** What the engine detects as it detects a module without handlers. */
const wrongExports = [
  ['no list', "export const handlers = 'none'; export const mocks =", /its export "handlers" is the string "none"/],
  ['a list within a list', 'export const handlers = [[]]; export const mocks =', /Spread it/],
] as const

/** Tests that edits of handlers, and of modules that they import, apply without a reload of the page. */
export function testHotSwap(tool: BuildTool, driver: BrowserDriver = chromium, extent: Extent = 'all'): void {
  describe(`${tool.name} in ${driver.name}, when handlers are edited`, () => {
    let visit: TestVisit
    let page: TestPage
    let original: string

    const served = serveProject(tool, {
      launch: () => driver.launch(),
      options: { plugin: { expose: true, quiet: true } },
      async prepare(project) {
        original = await project.read(handlersFile)
      },
    })

    beforeEach(async ({ onTestFailed }) => {
      visit = await served.browser.openVisit()
      const { console: lines } = visit
      onTestFailed(() => console.error([...lines, served.server.process.output.slice(-2000)].join('\n')))
      page = visit.page
      await page.goto(served.server.origin)
      await expect.poll(() => ask('/api/handlers')).toBe('handlers 0')
      await page.evaluate("globalThis.marker = 'this page'")
    })

    afterEach(async () => {
      const marker = await page.evaluate('globalThis.marker')
      // Restore the state of the server for the next test.
      await saveHandlers('handlers 0')
      await visit.close()
      const escaped = [...served.backend.requests]
      served.backend.forget()
      expect({ marker, escaped, errors: visit.errors }).toEqual({ marker: 'this page', escaped: [], errors: [] })
    })

    /** Returns the text of the response at a path, or `held` if the request is held. */
    const ask = (path: string): Promise<string> =>
      page.evaluate(
        (url) => Promise.race([globalThis.ask(url), new Promise<string>((end) => setTimeout(end, 500, 'held'))]),
        path,
      )

    async function save(file: string, text: string, path: string, answer: string): Promise<void> {
      await savingUntil(served.project, file, text, () => ask(path)).toBe(answer)
    }

    const saveHandlers = (answer: string): Promise<void> =>
      save(handlersFile, original.replace('handlers 0', answer), '/api/handlers', answer)

    /** Saves a broken file until the overlay shows the error. */
    async function spoil(file: string, text: string, report: RegExp): Promise<void> {
      await savingUntil(served.project, file, text, () => tool.readOverlay(page)).toMatch(report)
    }

    test.for([
      ['the handlers file', handlersFile, 'handlers'],
      ['a JSON file that it imports', 'src/mocks/fixture.json', 'fixture'],
      ['a module that it imports by another one', 'src/mocks/word.js', 'greeting'],
    ] as const)('%s', async ([_name, file, word]) => {
      const before = await served.project.read(file)
      expect(await ask(`/api/${word}`)).toBe(`${word} 0`)
      await save(file, before.replace('0', '1'), `/api/${word}`, `${word} 1`)
      await save(file, before, `/api/${word}`, `${word} 0`)
    })

    test('a broadcast of an edited module reaches connections of the earlier one', async () => {
      const withLink = (answer: string): string =>
        original
          .replace('import { http,', 'import { http, ws,')
          .replace(
            'export const handlers = [',
            `const chat = ws.link('wss://example.com/chat')
            export const handlers = [
              chat.addEventListener('connection', () => {}),
              http.get('/api/broadcast', () => {
                chat.broadcast('${answer}')
                return HttpResponse.json({ text: String(chat.clients.size) })
              }),`,
          )
          .replace('handlers 0', answer)
      await save(handlersFile, withLink('handlers 1'), '/api/handlers', 'handlers 1')
      await page.evaluate(async () => {
        const socket = new WebSocket('wss://example.com/chat')
        const heard: unknown[] = []
        Object.assign(globalThis, { socket, heard })
        socket.addEventListener('message', ({ data }) => heard.push(data))
        await new Promise((resolve) => socket.addEventListener('open', resolve))
      })
      for (const answer of ['handlers 2', 'handlers 3']) {
        await save(handlersFile, withLink(answer), '/api/handlers', answer)
        expect(await ask('/api/broadcast')).toBe('1')
        await expect.poll(() => page.evaluate('heard.splice(0)')).toEqual([answer])
      }
    })

    test.for([
      ['does not compile', "HttpResponse.json({ text: 'handlers 0' }", /handlers\.js/],
      [
        'throws',
        "HttpResponse.json({ text: 'handlers 0' })), http.get(nowhere",
        /ReferenceError: nowhere is not defined/,
      ],
    ] as const)('a module that %s: the previous handlers answer until it is fixed', async ([_name, broken, report]) => {
      const text = original.replace("HttpResponse.json({ text: 'handlers 0' })", broken)
      await spoil(handlersFile, text, report)
      expect(await ask('/api/handlers')).toBe('handlers 0')
      expect(await ask('/api/fixture')).toBe('fixture 0')

      await saveHandlers('handlers 1')
      await expect.poll(() => tool.readOverlay(page)).toBe(undefined)
      // The fixed module still updates without a reload.
      await saveHandlers('handlers 2')
    })

    test.for([
      ['no handlers', 'export const mocks =', /src\/mocks\/handlers\.js: it exports "mocks", but no handlers/],
      ...(extent === 'all' ? wrongExports : []),
    ] as const)('%s: the previous handlers answer until it is fixed', async ([_name, broken, report]) => {
      await spoil(handlersFile, original.replace('export const handlers =', broken), report)
      expect(await ask('/api/handlers')).toBe('handlers 0')

      await saveHandlers('handlers 1')
      await expect.poll(() => tool.readOverlay(page)).toBe(undefined)
    })

    test('an imported module that throws: the previous handlers answer until it is fixed', async () => {
      await spoil('src/mocks/word.js', "export const word = '0'\nthrow new Error('out of words')\n", /out of words/)
      expect(await ask('/api/greeting')).toBe('greeting 0')
      await save('src/mocks/word.js', "export const word = '1'\n", '/api/greeting', 'greeting 1')
      await expect.poll(() => tool.readOverlay(page)).toBe(undefined)
      await save('src/mocks/word.js', "export const word = '0'\n", '/api/greeting', 'greeting 0')
    })

    test.for([
      ['the tool', 'new-1.js', 'export const text = (', []],
      // The error must be reported as uncaught, so that the console links to the position.
      ['only the browser', 'new-2.js', 'export const text = ', ['a syntax error']],
    ] as const)(
      'a new module with a syntax error that %s reports: saving the fixed module is enough',
      async ([_by, name, broken, errors]) => {
        const file = `src/mocks/${name}`
        await served.project.write(file, broken)
        const importing = `import { text } from './${basename(file)}'\n${original.replace("'handlers 0'", 'text')}`
        await served.project.write(handlersFile, importing)
        await expect.poll(() => tool.readOverlay(page)).toContain(file)
        expect(await ask('/api/handlers')).toBe('handlers 0')
        await save(file, "export const text = 'handlers 1'\n", '/api/handlers', 'handlers 1')
        await expect.poll(() => tool.readOverlay(page)).toBe(undefined)
        const reported = visit.errors
          .splice(0)
          .map((text) => text.replace(/^Unexpected end of input$|^SyntaxError: .*/, 'a syntax error'))
        expect(reported).toEqual(tool.compilesModules ? [] : errors)
      },
    )

    test('overrides of a running page survive a hot update', async () => {
      await page.evaluate(() => {
        const { http, HttpResponse, worker } = understudy
        worker.use(http.get('/api/handlers', () => HttpResponse.json({ text: 'override' })))
      })
      const text = original.replace('HttpResponse.json(fixture)', "HttpResponse.json({ text: 'fixture 1' })")
      await save(handlersFile, text, '/api/fixture', 'fixture 1')
      expect(await ask('/api/handlers')).toBe('override')
      const answer = await page.evaluate(() => {
        const { http, HttpResponse, worker } = understudy
        worker.use(http.get('/api/unheard-of', () => HttpResponse.json({ text: 'at once' })))
        return globalThis.ask('/api/unheard-of')
      })
      expect(answer).toBe('at once')

      await page.evaluate(() => understudy.worker.resetHandlers())
      expect(await ask('/api/handlers')).toBe('handlers 0')
    })

    test('continuous requests get the response of the handlers before or after the edit, and none escapes', async () => {
      const edits = extent === 'all' ? 25 : 10
      const loops = page.evaluate(async (last) => {
        const begun = new Set<number[]>()
        const loop = async (): Promise<number[]> => {
          const seen: number[] = []
          while (seen.at(-1) !== last) {
            seen.push(Number((await globalThis.ask('/api/handlers')).split(' ')[1]))
            if (begun.add(seen).size === 2) Object.assign(globalThis, { haveLoopsBegun: true })
            // Without a pause, the loops take the processor from the tool that builds the edits.
            await new Promise((resolve) => setTimeout(resolve, 5))
          }
          return seen
        }
        return Promise.all([loop(), loop()])
      }, edits)
      // Otherwise, the first edit may be effective before the first request.
      await page.waitForFunction('globalThis.haveLoopsBegun')
      for (let edit = 1; edit <= edits; edit += 1) {
        await saveHandlers(`handlers ${edit}`)
      }
      for (const seen of await loops) {
        expect(seen.length).toBeGreaterThan(edits)
        expect(seen).toEqual(seen.toSorted((a, b) => a - b))
        expect(new Set(seen)).toEqual(new Set(Array.from({ length: edits + 1 }, (_, edit) => edit)))
      }
    })

    // What follows is the same with each build tool.
    if (extent === 'main') return

    const countHandlers = (): Promise<number> => page.evaluate(() => understudy.worker.listHandlers().length)

    test('an empty array is not an error: mocking is on, and a page that loads is not held', async () => {
      const empty = original.replace('export const handlers =', 'export const handlers = []; export const mocks =')
      await savingUntil(served.project, handlersFile, empty, countHandlers).toBe(0)
      expect(await tool.readOverlay(page)).toBe(undefined)

      await page.reload()
      await expect.poll(countHandlers).toBe(0)
      // The page makes this request when it loads.
      await expect.poll(() => served.backend.requests).toContain('GET /api/handlers')
      expect(await tool.readOverlay(page)).toBe(undefined)
      await page.evaluate("globalThis.marker = 'this page'")

      await savingUntil(served.project, handlersFile, original, countHandlers).toBe(3)
      expect(await ask('/api/handlers')).toBe('handlers 0')
      served.backend.forget()
    })

    test('a handler that is added, and one that is removed', async () => {
      const addition = "  http.get('/api/new', () => HttpResponse.json({ text: 'new' })),\n]"
      // Without the handler, its request would reach the backend.
      await savingUntil(served.project, handlersFile, original.replace(']', addition), countHandlers).toBe(4)
      expect(await ask('/api/new')).toBe('new')
      await savingUntil(served.project, handlersFile, original, countHandlers).toBe(3)
    })
  })
}
