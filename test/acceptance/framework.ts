import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { launchBrowser, openVisit, type Visit } from './browser.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { createHeavyProject, repository, savingUntil, type Project } from './project.ts'
import { findPort, runTool, type ToolProcess } from './run-tool.ts'

/** A framework that renders pages on the server, with its sandbox. Each sandbox has the same page. */
export interface Framework {
  /** The folder in `sandboxes`. */
  sandbox: string
  /** The script of its command line, below `node_modules`. */
  cli: string
  dev: (port: number) => string[]
  /** The line that it prints when it is ready. */
  ready: RegExp
  handlersFile: string
  /** The configuration file with the plugin. */
  config: string
  build: string[]
  /** The folder of a build. */
  output: string
  /** The path of the panel. Default: `/__understudy/`. */
  panel?: string
  /** Whether the framework reloads the page at each edit of a module. */
  reloads?: boolean
  /** Whether the page has a link to another page, whose data the framework requests with `fetch`. */
  hasLink?: boolean
  /** Returns whether a line of the page's console belongs to the framework and is not an error. */
  isUsual?: (line: string) => boolean
}

/** Tests that the same handlers answer client and server, and that a build contains no handlers. */
export function testFramework(framework: Framework): void {
  const { sandbox, handlersFile, reloads = false, isUsual = () => false } = framework
  const cli = join(repository, 'sandboxes', sandbox, 'node_modules', framework.cli)
  let project: Project

  describe('in development', () => {
    let backend: CountingBackend
    let browser: Browser
    let server: ToolProcess
    let origin: string
    let visit: Visit
    /** The number of requests of the page for a document. Frameworks also navigate without one. */
    let documents: number

    const open = async (): Promise<void> => {
      visit = await openVisit(browser)
      documents = 0
      visit.page.on('request', (request) => {
        if (request.isNavigationRequest()) documents += 1
      })
      await visit.page.goto(origin)
      await visit.page.getByText('42 seats left').waitFor()
    }

    beforeAll(async () => {
      ;[backend, browser, project] = await Promise.all([startBackend(), launchBrowser(), createHeavyProject(sandbox)])
      const port = await findPort()
      server = runTool(cli, framework.dev(port), { folder: project.folder, env: { API_ORIGIN: backend.origin } })
      await server.untilSaid(framework.ready)
      origin = `http://localhost:${port}`
      // Frameworks discover some dependencies at the first request of a page, and reload it.
      await open()
      await visit.close()
    })

    afterAll(async () => {
      await Promise.all([browser.close(), server.stop(), backend.close()])
      await project.dispose()
    })

    afterEach(async () => {
      await visit.close()
      const escaped = [...backend.requests]
      backend.forget()
      expect(escaped).toEqual([])
    })

    const render = async (): Promise<string> => {
      const response = await fetch(origin, { headers: { Accept: 'text/html' } })
      // Some frameworks mark elements and texts for hydration.
      return (await response.text()).replaceAll(/<!--.*?-->/gs, '').replaceAll(/<h1 [^>]*>/g, '<h1>')
    }

    test('the same handlers answer server and page, and the page hydrates without a warning', async () => {
      expect(await render()).toContain('<h1>A mocked title</h1>')
      await open()
      await visit.page.getByRole('heading', { name: 'A mocked title', level: 1 }).waitFor()
      await visit.page.waitForLoadState('networkidle')
      expect(visit.console.filter((line) => /^(error|warning)/.test(line) && !isUsual(line))).toEqual([])
      expect(visit.errors.filter((error) => !isUsual(String(error)))).toEqual([])
      expect(documents).toBe(1)
      // The worker asks the handlers of the page.
      expect(visit.console.join('\n')).toContain('Mocking is on')
    })

    test('the panel shows the requests of the server and of the page', async () => {
      await open()
      await render()
      const panel = await visit.context.newPage()
      await panel.goto(origin + (framework.panel ?? '/__understudy/'))
      await panel.getByRole('button', { name: 'Dev server' }).click()
      const rows = panel.getByRole('listitem')
      await expect.poll(() => rows.allTextContents()).toContainEqual(expect.stringMatching(/title.*[1-9]\d* hits?/))
      await panel.getByRole('button', { name: 'Browser' }).click()
      await expect.poll(() => rows.allTextContents()).toContainEqual(expect.stringMatching(/seats.*[1-9]\d* hits?/))
    })

    test('an edit of the handlers applies to server and page, without a reload', async () => {
      await open()
      const readSeats = (): Promise<string> => visit.page.evaluate(async () => (await fetch('/api/seats')).text())
      const original = await project.read(handlersFile)
      const edited = original.replace('A mocked title', 'Another title').replace('42', '7')
      await savingUntil(project, handlersFile, edited, render).toContain('<h1>Another title</h1>')
      await expect.poll(readSeats).toBe('{"left":7}')
      expect(reloads ? 1 : documents).toBe(1)
      await savingUntil(project, handlersFile, original, render).toContain('<h1>A mocked title</h1>')
      // Server and page have separate watchers. The page of the next test requests the seats only once.
      await expect.poll(readSeats).toBe('{"left":42}')
      expect(reloads ? 1 : documents).toBe(1)
    })

    test.runIf(framework.hasLink)(
      'a handler of every path does not answer requests for the data of pages',
      async () => {
        const original = await project.read(handlersFile)
        const fallback = "\nhandlers.push(http.all('*', () => new HttpResponse('no handler', { status: 404 })))\n"
        await project.write(handlersFile, original + fallback)
        await open()
        const readOther = (): Promise<string> => visit.page.evaluate(async () => (await fetch('/other/data')).text())
        await expect.poll(readOther).toBe('no handler')
        await visit.page.getByRole('link', { name: 'Other page' }).click()
        await visit.page.getByRole('heading', { name: 'A mocked title, again' }).waitFor()
        expect(documents).toBe(1)
        await project.write(handlersFile, original)
      },
    )

    test('broken handlers are reported in the terminal, and the previous handlers stay active', async () => {
      await open()
      const original = await project.read(handlersFile)
      const from = server.output.length
      await project.write(handlersFile, `${original}\nnowhere()`)
      // Some frameworks evaluate modules only when a page is requested.
      await expect.poll(async () => [await render(), server.output.slice(from)][1]).toMatch(/nowhere is not defined/)
      expect(await render()).toContain('<h1>A mocked title</h1>')
      await savingUntil(project, handlersFile, original.replace('A mocked', 'A fixed'), render).toContain(
        '<h1>A fixed title</h1>',
      )
    })
  })

  test('the documentation shows the configuration of this sandbox', async () => {
    const docs = await readFile(join(repository, 'docs/frameworks.md'), 'utf8')
    const config = await readFile(join(repository, 'sandboxes', sandbox, framework.config), 'utf8')
    expect(docs).toContain(`// ${framework.config}\n${config}`)
  })

  test('a build contains no mocks', async () => {
    project = await createHeavyProject(sandbox)
    const tool = runTool(cli, framework.build, { folder: project.folder })
    expect(await tool.exit, tool.output).toBe(0)
    const built = join(project.folder, framework.output)
    const files = (await readdir(built, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    expect(files.length).toBeGreaterThan(3)
    for (const { parentPath, name } of files) {
      const file = join(parentPath, name)
      expect(await readFile(file, 'latin1'), file).not.toMatch(/understudy\/|A mocked title/)
    }
    await project.dispose()
  })
}
