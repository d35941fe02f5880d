import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { BuildTool, Extent } from './build-tool.ts'
import { chromium } from './chromium.ts'
import { savingUntil } from './project.ts'
import { serveProject } from './serve-project.ts'
import type { BrowserDriver, TestPage, TestVisit } from './test-browser.ts'

const handlersFile = 'src/mocks/handlers.js'

interface Fault {
  /** The problem, which is the name of the test. */
  name: string
  /** Returns the broken file; `null`: the file is missing. */
  spoil: ((original: string) => string) | null
  /** The message that the page shows. */
  report: RegExp
  /** The message in the terminal, if the tool detects the problem. */
  terminal?: RegExp
}

/** Returns a problem in the file itself: replaces its `export const handlers =`. */
function wrongExport(name: string, replacement: string, report: RegExp): Fault {
  return { name, spoil: (original) => original.replace('export const handlers =', replacement), report }
}

const faults: Fault[] = [
  {
    name: 'a handlers file that does not compile',
    spoil: (original) => original.replace('))', ')'),
    report: /src\/mocks\/handlers\.js/,
    terminal: /src\/mocks\/handlers\.js/,
  },
  wrongExport(
    'a handlers file that throws',
    'nowhere(); export const handlers =',
    // The position is that of the source file, also in an overlay that adds a stack.
    /^(?!.*\.js:(?!6:)\d).*nowhere is not defined.*src\/mocks\/handlers\.js:6:/s,
  ),
  {
    name: 'a handlers file that imports a missing module',
    spoil: (original) => `import './nothing.js'\n${original}`,
    report: /nothing\.js/,
    terminal: /nothing\.js/,
  },
  {
    name: 'no handlers file',
    spoil: null,
    report:
      /Failed to find the handlers: there is no src\/mocks\/handlers\.ts .*Create one with these lines.*export const handlers = \[/s,
    terminal: /Failed to find the handlers: there is no src\/mocks\/handlers\.ts/,
  },
  wrongExport(
    'a handlers file without the export "handlers"',
    'export const mocks =',
    /handlers of src\/mocks\/handlers\.js: it exports "mocks", but no handlers\. Export them: export const handlers = \[/,
  ),
]

/** What the engine detects as it detects a missing export. */
const otherFaults: Fault[] = [
  wrongExport(
    'a handlers file that throws a value that is not an error',
    'if (document.baseURI) throw undefined; export const handlers =',
    /Failed to load the handlers of src\/mocks\/handlers\.js: Error: undefined\. Fix the error/,
  ),
  wrongExport(
    'a handler without a resolver',
    "http.get('/broken'); export const handlers =",
    /^(?!.*\.js:(?!6:)\d).*Failed to create the handler GET \/broken: .*src\/mocks\/handlers\.js:6:/s,
  ),
  wrongExport(
    'a policy that does not exist',
    'export const onUnhandledRequest = "fail"; export const handlers =',
    /Failed to read the option "onUnhandledRequest": "fail" is not a valid strategy/,
  ),
  wrongExport(
    'an array in the array of handlers',
    'export const handlers = [[]]; export const mocks =',
    /item 1 of its export "handlers" is an array\. Spread it/,
  ),
]

/**
 * Tests that no request escapes if handlers are broken from the start, that the page shows the reason, and that the fix
 * starts mocking.
 */
export function testBrokenHandlers(tool: BuildTool, driver: BrowserDriver = chromium, extent: Extent = 'all'): void {
  describe(`${tool.name} in ${driver.name}, when handlers are broken from the start`, () => {
    let visit: TestVisit
    let page: TestPage
    let original: string

    const served = serveProject(tool, {
      launch: () => driver.launch(),
      async prepare(project) {
        original = await project.read(handlersFile)
      },
    })

    beforeEach(({ onTestFailed }) => {
      onTestFailed(() => {
        console.error([...visit.navigations, ...visit.console, served.server.process.output.slice(-2000)].join('\n'))
      })
    })

    afterEach(async () => {
      await visit.close()
      const escaped = [...served.backend.requests]
      served.backend.forget()
      expect(escaped).toEqual([])
    })

    async function open(): Promise<void> {
      visit = await served.browser.openVisit()
      page = visit.page
      await page.goto(served.server.origin)
    }

    /** Returns the answer to the request that the page makes when it loads, or `held` if the request is held. */
    const first = (): Promise<unknown> =>
      page.evaluate("Promise.race([first, new Promise((end) => setTimeout(end, 100, 'held'))])")

    test.for([...faults, ...(extent === 'all' ? otherFaults : [])])(
      '$name: no request escapes, the page shows the reason, and the fix starts mocking',
      async (fault) => {
        const said = served.server.process.output.length
        if (fault.spoil) await served.project.write(handlersFile, fault.spoil(original))
        else await served.project.remove(handlersFile)
        await open()
        await expect.poll(() => tool.readOverlay(page)).toMatch(fault.report)
        if (fault.terminal) await served.server.process.untilSaid(fault.terminal, said)
        await expect.poll(() => visit.console.join('\n')).toMatch(/requests of this page are held/)
        expect(served.backend.requests).toEqual([])

        await expect.poll(first).toBe('held')
        // The test does not reload the page. Either the tool reloads it, or the gate opens.
        await savingUntil(served.project, handlersFile, original, first).toBe('handlers 0')
        await expect.poll(() => tool.readOverlay(page)).toBe(undefined)
      },
    )

    // What follows is the work of the server, whatever the browser is.
    if (driver !== chromium) return

    test('handlers that break between two visits: the worker of the first one lets the fix pass', async () => {
      await open()
      await expect.poll(first).toBe('handlers 0')
      await served.project.write(handlersFile, original.replace('))', ')'))
      await expect.poll(() => tool.readOverlay(page)).toMatch(/src\/mocks\/handlers\.js/)
      await page.goto(served.server.origin)
      await expect.poll(() => visit.console.join('\n')).toMatch(/requests of this page are held/)
      await expect.poll(first).toBe('held')
      await savingUntil(served.project, handlersFile, original, first).toBe('handlers 0')
      await expect.poll(() => tool.readOverlay(page)).toBe(undefined)
    })

    test.for([
      [
        'an option that does not exist',
        { handler: 'src/mocks' },
        /there is no option "handler"\. Did you mean "handlers"\?/,
      ],
      [
        'a file that does not exist',
        { handlers: 'src/mocks/handler.js' },
        /the file src\/mocks\/handler\.js of the option "handlers" does not exist.*Did you mean "src\/mocks\/handlers\.js"\?/s,
      ],
      ...(extent === 'all'
        ? ([['an option of another type', { quiet: 'yes' }, /"quiet" is "yes"\. It takes a boolean\./]] as const)
        : []),
    ] as const)('%s: so too', async ([_name, plugin, report]) => {
      await served.server.stop()
      await tool.configure(served.project, { api: served.backend.origin, plugin })
      served.server = await tool.start(served.project, { port: served.server.port })
      await open()
      await expect.poll(() => tool.readOverlay(page)).toMatch(report)
      await served.server.process.untilSaid(report)
      expect(served.backend.requests).toEqual([])

      // If the server ended before its client has connected, the page would never reload.
      await expect.poll(() => visit.console.join('\n')).toMatch(tool.connected ?? '')
      await served.server.stop()
      await tool.configure(served.project, { api: served.backend.origin })
      served.server = await tool.start(served.project, { port: served.server.port })
      await expect.poll(first).toBe('handlers 0')
      await expect.poll(() => tool.readOverlay(page)).toBe(undefined)
    })
  })
}
