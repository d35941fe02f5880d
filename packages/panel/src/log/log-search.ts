import type { SearchMatch, SearchResult } from '@understudy/engine/inspect'

/** The matches in the details of requests and connections, by their ids. */
export type FoundMatches = ReadonlyMap<string, readonly SearchMatch[]>

/** The number of requests in one command. The page searches them in one task, so this must be small. */
const batchSize = 10

interface SearchedItem {
  /** The request or connection at the time of the search. A changed one is another object. */
  readonly item: object
  readonly isFinal: boolean
  readonly version: number
}

/** Searches the details of a log for words, the newest items first. Searches changed items again. */
export class LogSearch {
  readonly #search: (ids: readonly string[], words: readonly string[]) => Promise<readonly SearchResult[]>
  readonly #words: readonly string[]
  readonly #changed: (found: FoundMatches, isDone: boolean) => void
  readonly #searched = new Map<string, SearchedItem>()
  #items: readonly { readonly id: string }[] = []
  #found = new Map<string, readonly SearchMatch[]>()
  #version = 0
  #isRunning = false
  #isStopped = false

  /** @param changed called with the matches until now, and whether all items were searched */
  constructor(
    search: (ids: readonly string[], words: readonly string[]) => Promise<readonly SearchResult[]>,
    words: readonly string[],
    changed: (found: FoundMatches, isDone: boolean) => void,
  ) {
    this.#search = search
    this.#words = words
    this.#changed = changed
  }

  /** @param items the log, after every change of the network: bodies that were incomplete may be longer now */
  update(items: readonly { readonly id: string }[]): void {
    this.#items = items
    this.#version += 1
    void this.#run()
  }

  stop(): void {
    this.#isStopped = true
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      for (let batch = this.#next(); batch.length > 0; batch = this.#next()) {
        const version = this.#version
        const ids = batch.map(({ id }) => id)
        const results = await this.#search(ids, this.#words)
        if (this.#isStopped) return
        const found = new Map(this.#found)
        for (const item of batch) {
          const result = results.find(({ id }) => id === item.id)
          this.#searched.set(item.id, { item, isFinal: result?.isFinal ?? true, version })
          found.set(item.id, result?.matches ?? [])
        }
        this.#found = found
        this.#changed(found, false)
      }
      this.#changed(this.#found, true)
    } catch {
      // The network is closed. Keep the matches.
      if (!this.#isStopped) this.#changed(this.#found, true)
    } finally {
      this.#isRunning = false
    }
  }

  #next(): readonly { readonly id: string }[] {
    return this.#items
      .filter((item) => {
        const searched = this.#searched.get(item.id)
        return searched?.item !== item || (!searched.isFinal && searched.version !== this.#version)
      })
      .slice(0, batchSize)
  }
}
