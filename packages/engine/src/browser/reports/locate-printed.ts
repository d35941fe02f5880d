import { print } from '../../core/failure.ts'
import type { HandlersControl } from '../../core/network/network.ts'
import { decidedMark } from '../../core/responses/bypass.ts'
import { getGate, getPageState, type PageState } from '../gate/gate.ts'

/** The page's state, with what {@link locatePrinted} shares with code that prints in another way. */
export interface LocatingPage extends PageState {
  /** Returns a function that prints a line with the positions in the developer's source. Forgets the positions known so far. */
  locateLines?: (write: (line: string) => void) => (line: string) => void
}

/** How long messages wait for the dev server, in milliseconds. */
const timeout = 2000

/** The maximum number of positions in one request to the dev server. */
const placesLimit = 1000

/** Several bootstrap modules of a page may share this copy of the engine. */
let isOn = false

/** The position of a call in what a bundler made: a file of the output, or a module that is evaluated. */
const placePattern = /(?:webpack-internal|webpack|https?):\/\/[^/\s]*\/\S+?:\d+:\d+/g

/** A position in what a bundler made. */
interface SourcePlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Finds positions in the developer's source; `null` if one is unknown. */
type Locate = (places: readonly SourcePlace[]) => Promise<readonly (Place | null)[]>

/** The dev server's answer: a position in the developer's source. */
interface Place {
  readonly name: string
  readonly line: number
  readonly column: number
}

/**
 * Prints messages with the positions in the developer's source. Bundlers move code, and only their dev server has the source
 * maps: messages with positions wait for its answer. Without an answer, they contain the positions in the bundle. Requests do
 * not wait. Without a panel, nothing returns positions.
 *
 * @param locateHere finds the positions without a dev server
 */
export function locatePrinted(
  { '~network': network }: Pick<HandlersControl, '~network'>,
  locateHere?: Locate,
): NonNullable<LocatingPage['locateLines']> {
  const page: LocatingPage = getPageState()
  if (isOn && page.locateLines) return page.locateLines
  isOn = true
  /** The texts of known positions; the position in the bundle if its source is unknown. */
  const known = new Map<string, string>()
  /** Messages that wait, in their order. */
  const waiting: { readonly args: readonly unknown[]; readonly show: () => void }[] = []
  // An edit of the handlers moves them, perhaps to a position that another one had.
  network.layers.onChange(() => known.clear())
  // The browser discards what a page prints later.
  addEventListener('pagehide', () => {
    for (const { show } of waiting.splice(0)) show()
  })

  const own = { ...print }

  function wrap<Args extends readonly unknown[]>(write: (...args: Args) => void): (...args: Args) => void {
    return (...args) => {
      const show = (): void => write(...(translate(args, known) as Args))
      // Messages stay in their order.
      if (waiting.length === 0 && listUnknown(args).length === 0) {
        show()
        return
      }
      const showLater = (): void => {
        try {
          show()
        } catch {
          // The console itself can throw, for example on a revoked Proxy.
          own.failure(args.filter((each) => typeof each === 'string').join(' '))
        }
      }
      if (waiting.push({ args, show: showLater }) === 1) void showWaiting()
    }
  }

  function listUnknown(args: unknown): string[] {
    return [...listPlaces(args)].filter((place) => !known.has(place))
  }

  async function showWaiting(): Promise<void> {
    // Messages of the same task need one request.
    await Promise.resolve()
    while (waiting.length > 0) {
      const unknown = [...new Set(waiting.flatMap(({ args }) => listUnknown(args)))].slice(0, placesLimit)
      const last = waiting.at(-1)
      if (unknown.length > 0) await ask(unknown)
      // After `pagehide`, they were shown.
      for (const { show } of waiting.splice(0, last ? waiting.indexOf(last) + 1 : 0)) show()
    }
  }

  async function ask(unknown: readonly string[]): Promise<void> {
    const places = unknown.map(toPlace)
    // The panel may be linked after the first message.
    const locate = locateHere ?? (page.panel === undefined ? undefined : askServer(`${page.panel}places`))
    const located = (await locate?.(places).catch(() => undefined)) ?? []
    for (const [index, place] of unknown.entries()) {
      const found = located[index]
      known.set(place, found ? `${found.name}:${found.line}:${found.column}` : place)
    }
  }

  page.locateLines = (write) => {
    // Code that fails may have been edited since, without new handlers.
    known.clear()
    return wrap(write)
  }
  Object.assign(print, {
    info: wrap<Parameters<typeof own.info>>((...args) => own.info(...args)),
    warn: wrap<Parameters<typeof own.warn>>((...args) => own.warn(...args)),
    failure: wrap<Parameters<typeof own.failure>>((...args) => own.failure(...args)),
    group: wrap<Parameters<typeof own.group>>((...args) => own.group(...args)),
  } satisfies Partial<typeof print>)
  return page.locateLines
}

/** Finds the positions in the texts of a message. */
function listPlaces(value: unknown): Set<string> {
  if (typeof value === 'string') return new Set(value.match(placePattern))
  return new Set(Array.isArray(value) ? value.flatMap((each) => [...listPlaces(each)]) : [])
}

/** Replaces the known positions in the texts of a message. Other values stay the same objects. */
function translate(value: unknown, known: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.replace(placePattern, (place) => known.get(place) ?? place)
  return Array.isArray(value) ? value.map((each) => translate(each, known)) : value
}

function toPlace(text: string): SourcePlace {
  const [, file = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(text) ?? []
  return { file, line: Number(line), column: Number(column) }
}

/** Returns a function that asks the dev server. */
function askServer(url: string): Locate {
  return async (places) => {
    const response = await fetchUnmocked(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ places }),
      signal: AbortSignal.timeout(timeout),
    })
    return ((await response.json()) as { places: readonly (Place | null)[] }).places
  }
}

/** Sends a request that no handler answers, and nothing holds. */
export function fetchUnmocked(url: string, init: RequestInit = {}): Promise<Response> {
  const { fetch } = getGate()?.natives ?? globalThis
  return fetch(url, { ...init, headers: { Accept: `*/*, ${decidedMark}`, ...(init.headers as object) } })
}
