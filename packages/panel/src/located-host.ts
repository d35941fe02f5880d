import type {
  InspectedHandler,
  Override,
  RecordingMode,
  RemoteInspection,
  RequestDetails,
  SearchResult,
} from '@understudy/engine/inspect'

import type { HandlerSaver, PanelHost, PanelState, SourcePlace } from './panel-host.ts'

/** The source position of a place: the file's path, and its name for display. */
export interface LocatedSource extends SourcePlace {
  readonly path: string
  readonly name: string
}

/** Finds the source positions of places; `null` if a position is unknown. */
export type LocateSources = (places: readonly SourcePlace[]) => Promise<readonly (LocatedSource | null)[]>

const keyOf = ({ file, line, column }: SourcePlace): string => `${file}:${line}:${column}`

/**
 * A page's network, whose handlers have the positions in the developer's files. The page itself has only positions in
 * the modules that the build tool generated.
 */
export class LocatedHost implements PanelHost {
  readonly #remote: RemoteInspection
  readonly #locate: LocateSources
  readonly #listeners = new Set<() => void>()
  readonly #asked = new Set<string>()
  /** `null`: unknown. Without an entry: the answer has not arrived yet. */
  readonly #places = new Map<string, LocatedSource | null>()
  /** Handlers that have not changed stay the same objects, so that their rows are not rendered again. */
  #located = new WeakMap<InspectedHandler, InspectedHandler>()
  #paths = new Map<string, string>()
  /** The positions in the page of handlers, by their positions in the source. The dev server knows only those of the page. */
  readonly #origins = new Map<string, SourcePlace>()
  #source: PanelState | undefined
  #state: PanelState | undefined

  /** `undefined` if the host cannot open an editor. */
  readonly openInEditor: ((place: SourcePlace) => void) | undefined

  /** `undefined` if the host cannot save handlers. */
  readonly saver: HandlerSaver | undefined

  /** `undefined` if the host cannot read source files. */
  readonly readExcerpt: PanelHost['readExcerpt']

  /** @param open opens a place in the developer's editor: a file's path, with line and column */
  constructor(
    remote: RemoteInspection,
    locate: LocateSources,
    open: ((place: SourcePlace) => void) | undefined,
    saver?: HandlerSaver,
    readExcerpt?: PanelHost['readExcerpt'],
  ) {
    this.saver = saver
    this.readExcerpt = readExcerpt && ((place) => readExcerpt(this.#origins.get(keyOf(place)) ?? place))
    this.#remote = remote
    this.#locate = locate
    this.openInEditor = open && ((place) => void this.#open(place, open))
  }

  getState(): PanelState {
    const source = this.#remote.getState()
    if (!this.#state || this.#source !== source) {
      this.#source = source
      this.#state = this.#withPlaces(source)
      void this.#ask(source)
    }
    return this.#state
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    const end = this.#remote.subscribe(listener)
    return () => {
      this.#listeners.delete(listener)
      end()
    }
  }

  setEnabled(id: number, enabled: boolean): Promise<void> {
    return this.#remote.setEnabled(id, enabled)
  }

  override(id: number, override: Override | null): Promise<void> {
    return this.#remote.override(id, override)
  }

  reset(): Promise<void> {
    return this.#remote.reset()
  }

  clearLog(): Promise<void> {
    return this.#remote.clearLog()
  }

  preserveLog(isOn: boolean): Promise<void> {
    return this.#remote.preserveLog(isOn)
  }

  scenario(names: readonly string[]): Promise<void> {
    return this.#remote.scenario(names)
  }

  readState(name: string): Promise<string> {
    return this.#remote.readState(name)
  }

  writeState(name: string, text: string): Promise<void> {
    return this.#remote.writeState(name, text)
  }

  resetState(name: string): Promise<void> {
    return this.#remote.resetState(name)
  }

  record(mode: RecordingMode | null): Promise<void> {
    return this.#remote.record(mode)
  }

  details(requestId: string): Promise<RequestDetails> {
    return this.#remote.details(requestId)
  }

  search(ids: readonly string[], words: readonly string[]): Promise<readonly SearchResult[]> {
    return this.#remote.search(ids, words)
  }

  send(id: string, data: string, event?: string): Promise<void> {
    return this.#remote.send(id, data, event)
  }

  async locate(places: readonly SourcePlace[]): Promise<readonly (SourcePlace | null)[]> {
    const located = await this.#locate(places)
    return places.map((_, index) => this.#toPlace(located[index] ?? null))
  }

  async #open(place: SourcePlace, open: (place: SourcePlace) => void): Promise<void> {
    const path = this.#paths.get(keyOf(place))
    if (path !== undefined) {
      open({ ...place, file: path })
      return
    }
    // The place was clicked before its source position was known.
    const [located] = await this.#locate([place])
    if (located) open({ file: located.path, line: located.line, column: located.column })
  }

  #withPlaces(state: PanelState): PanelState {
    const handlers = state.handlers.map((handler) => {
      const known = this.#located.get(handler)
      if (known) return known
      const located = this.#locateHandler(handler)
      this.#located.set(handler, located)
      return located
    })
    return { ...state, handlers }
  }

  #locateHandler(handler: InspectedHandler): InspectedHandler {
    if (!handler.origin) return handler
    const located = this.#places.get(keyOf(handler.origin))
    // A position in the generated module would be misleading. Show no position until the answer arrives.
    if (located === undefined) return { ...handler, origin: null }
    const place = this.#toPlace(located)
    if (place) this.#origins.set(keyOf(place), handler.origin)
    return { ...handler, origin: place ?? handler.origin }
  }

  #toPlace(located: LocatedSource | null): SourcePlace | null {
    if (!located) return null
    const place = { file: located.name, line: located.line, column: located.column }
    this.#paths.set(keyOf(place), located.path)
    return place
  }

  async #ask({ handlers }: PanelState): Promise<void> {
    const unknown = handlers.flatMap(({ origin }) => (origin && !this.#asked.has(keyOf(origin)) ? [origin] : []))
    if (unknown.length === 0) return
    for (const place of unknown) this.#asked.add(keyOf(place))
    const located = await this.#locate(unknown)
    for (const [index, place] of unknown.entries()) this.#places.set(keyOf(place), located[index] ?? null)
    this.#source = undefined
    this.#located = new WeakMap()
    for (const listener of this.#listeners) listener()
  }
}
