import type { Override, RemoteInspection, RequestDetails } from '@understudy/engine/inspect'

import type { PanelHost, PanelState, SourcePlace } from '../panel-host.ts'

/** Where a place was written: the file's path, and as people name it. */
interface Located extends SourcePlace {
  readonly path: string
  readonly name: string
}

/** Asks the dev server; `null` where it does not know a place. */
type Locate = (places: readonly SourcePlace[]) => Promise<readonly (Located | null)[]>

const keyOf = ({ file, line, column }: SourcePlace): string => `${file}:${line}:${column}`

/**
 * A page's network, with its handlers where the developer wrote them: the page itself knows its modules only as the
 * build tool made them.
 */
export class LocatedHost implements PanelHost {
  readonly #remote: RemoteInspection
  readonly #locate: Locate
  readonly #open: (path: string) => void
  readonly #listeners = new Set<() => void>()
  /** `null`: asked for, or not known. */
  readonly #places = new Map<string, Located | null>()
  #paths = new Map<string, string>()
  #source: PanelState | undefined
  #state: PanelState | undefined

  /** @param open opens a path in the developer's editor: `/app/src/handlers.ts:12:3` */
  constructor(remote: RemoteInspection, locate: Locate, open: (path: string) => void) {
    this.#remote = remote
    this.#locate = locate
    this.#open = open
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

  details(requestId: string): Promise<RequestDetails> {
    return this.#remote.details(requestId)
  }

  openInEditor(place: SourcePlace): void {
    const path = this.#paths.get(keyOf(place))
    if (path === undefined) void this.#openUnlocated(place)
    else this.#open(`${path}:${place.line}:${place.column}`)
  }

  /** It was not located yet, when it was clicked. */
  async #openUnlocated(place: SourcePlace): Promise<void> {
    const [located] = await this.#locate([place])
    if (located) this.#open(`${located.path}:${located.line}:${located.column}`)
  }

  #withPlaces(state: PanelState): PanelState {
    const handlers = state.handlers.map((handler) => {
      const located = handler.origin ? this.#places.get(keyOf(handler.origin)) : null
      if (!located) return handler
      const origin = { file: located.name, line: located.line, column: located.column }
      this.#paths.set(keyOf(origin), located.path)
      return { ...handler, origin }
    })
    return { ...state, handlers }
  }

  async #ask({ handlers }: PanelState): Promise<void> {
    const unknown = handlers.flatMap(({ origin }) => (origin && !this.#places.has(keyOf(origin)) ? [origin] : []))
    if (unknown.length === 0) return
    for (const place of unknown) this.#places.set(keyOf(place), null)
    const located = await this.#locate(unknown)
    for (const [index, place] of unknown.entries()) this.#places.set(keyOf(place), located[index] ?? null)
    this.#source = undefined
    for (const listener of this.#listeners) listener()
  }
}
