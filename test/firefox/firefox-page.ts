import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

import type { Page } from 'playwright'

import { waitUntil, type Profile, type TestPage, type TestVisit } from '../acceptance/test-browser.ts'
import type { BidiSession } from './bidi-session.ts'

/** The idle time-out of workers in tests that end workers, in milliseconds. */
export const idleTimeout = 800

/** The events to which sessions subscribe. */
export const pageEvents: readonly string[] = [
  'browsingContext.contextCreated',
  'browsingContext.domContentLoaded',
  'browsingContext.downloadEnd',
  'browsingContext.load',
  'log.entryAdded',
]

/** The common data of all events of a tab. */
interface InContext {
  context: string
}

interface LogEntry {
  type: 'console' | 'javascript'
  level: string
  method?: string
  text: string | null
  args?: { type: string; value?: unknown }[]
  source: InContext
}

/** Opens a tab. */
export async function openTab(session: BidiSession, userContext: string, profile: Profile): Promise<TestVisit> {
  const { context } = await session.call<InContext>('browsingContext.create', { type: 'tab', userContext })
  const lines: string[] = []
  const errors: string[] = []
  const navigations: string[] = []
  const page = createPage(session, context)
  const endings = [
    session.on<LogEntry>('log.entryAdded', (entry) => {
      if (entry.source.context !== context) return
      if (isUncaught(entry)) errors.push(entry.text ?? '')
      else lines.push(`${toType(entry)}: ${toText(entry)}`)
    }),
    session.on<InContext & { url: string }>('browsingContext.domContentLoaded', (loaded) => {
      if (loaded.context === context && loaded.url !== 'about:blank') navigations.push(loaded.url)
    }),
  ]

  /** Resolves with the first event that a check accepts. */
  const waitFor = <Params>(event: string, isWanted: (params: Params) => boolean): Promise<Params> =>
    new Promise((resolve) => {
      const stop = session.on<Params>(event, (params) => {
        if (!isWanted(params)) return
        stop()
        resolve(params)
      })
    })

  return {
    page,
    profile,
    console: lines,
    errors,
    navigations,
    async click(expression) {
      // Otherwise, an element that covers the middle of this one would get the click.
      const measure = `(() => {
        const element = ${expression}
        element?.scrollIntoView({ block: 'center' })
        const { left = 0, top = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
        const [x, y] = [Math.floor(left + width / 2), Math.floor(top + height / 2)]
        return element?.contains(document.elementFromPoint(x, y)) ? [x, y] : undefined
      })()`
      await waitUntil(page, measure)
      const [x, y] = await page.evaluate<[number, number]>(measure)
      const actions = [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await session.call('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] })
    },
    async hardReload(until) {
      const event = until === 'load' ? 'browsingContext.load' : 'browsingContext.domContentLoaded'
      const reloaded = waitFor<InContext>(event, (loaded) => loaded.context === context)
      // This argument of Firefox has the effect of Ctrl+Shift+R, which WebDriver does not support.
      await page.evaluate('void location.reload(true)')
      await reloaded
    },
    async waitForPopUp(act) {
      const created = waitFor<InContext & { originalOpener: string | null }>(
        'browsingContext.contextCreated',
        ({ originalOpener }) => originalOpener === context,
      )
      await act()
      const popUp = createPage(session, (await created).context)
      await popUp.waitForLoadState('load')
      return popUp
    },
    async waitForDownload(act) {
      const ended = waitFor<InContext & { filepath?: string }>(
        'browsingContext.downloadEnd',
        (download) => download.context === context,
      )
      // A navigation that becomes a download rejects.
      await act().catch(() => {})
      const { filepath } = await ended
      if (!filepath) throw new Error('Failed to download: Firefox has cancelled it.')
      // An earlier file with the same name would change the name to `name(1).csv`.
      return [basename(filepath).replace(/\(\d+\)(?=\.)/, ''), await readFile(filepath, 'utf8')]
    },
    endWorkers: () => new Promise((resolve) => setTimeout(resolve, idleTimeout * 3)),
    async close() {
      for (const end of endings) end()
      await session.call('browsingContext.close', { context })
    },
  }
}

function createPage(session: BidiSession, context: string): TestPage {
  /** @param expression returns a JSON value, or a promise of one */
  async function evaluateText(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await session.call<{
      result?: { value?: string }
      exceptionDetails?: { text: string }
    }>('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${expression})))()`,
      target: { context },
      awaitPromise: true,
      userActivation: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.text)
    return result?.value === undefined ? undefined : (JSON.parse(result.value) as unknown)
  }
  const evaluate = (script: string | ((arg: unknown) => unknown), arg?: unknown): Promise<unknown> =>
    evaluateText(typeof script === 'string' ? script : `(${String(script)})(${JSON.stringify(arg)})`)
  const waitForFunction = (expression: string): Promise<void> =>
    waitUntil({ evaluate: evaluate as Page['evaluate'] }, expression)
  return {
    evaluate: evaluate as Page['evaluate'],
    waitForFunction,
    waitForLoadState: () => waitForFunction("document.readyState === 'complete'"),
    goto: (url) => session.call('browsingContext.navigate', { context, url, wait: 'complete' }),
    reload: () => session.call('browsingContext.reload', { context, wait: 'complete' }),
    addInitScript: (script) =>
      session.call('script.addPreloadScript', {
        functionDeclaration: typeof script === 'string' ? `() => { ${script} }` : String(script),
        contexts: [context],
      }),
    close: () => session.call('browsingContext.close', { context }),
  }
}

/**
 * Returns whether an entry is an uncaught error. Entries of the type `javascript` can also be reports of the browser,
 * such as blocked scripts and failed requests.
 */
function isUncaught({ type, text }: LogEntry): boolean {
  return type === 'javascript' && /^(uncaught exception|\w*Error)\b/.test(text ?? '')
}

/** Returns the type of a line as Playwright names it. */
function toType({ level, method = level }: LogEntry): string {
  return method === 'warn' ? 'warning' : method
}

/** Returns the text of a line as the developer tools show it. */
function toText({ text, args }: LogEntry): string {
  if (!args) return text ?? ''
  return args.map(({ type, value }) => (typeof value === 'string' ? value : `[${type}]`)).join(' ')
}
