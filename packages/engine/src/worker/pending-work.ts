import type { Connections } from './connections.ts'
import { firstScriptLimit, idleAnswerLimit } from './time-outs.ts'

/**
 * The requests that wait for their responses, and the pages that load. Firefox replaces a worker only while it has no
 * pending requests. A page that loads meanwhile would stay with the worker that is gone.
 */
export class PendingWork {
  #count = 0
  #listeners: (() => void)[] = []

  /** Returns the given promise. */
  async add<Value>(work: Promise<Value>): Promise<Value> {
    this.#count += 1
    try {
      return await work
    } finally {
      this.#count -= 1
      if (this.#count === 0) for (const listener of this.#listeners.splice(0)) listener()
    }
  }

  /** Adds a page that loads, until its first script has run, or until a limit, because it may have none of ours. */
  addLoading(clientId: string, connections: Connections): void {
    const limit = new Promise((resolve) => setTimeout(resolve, firstScriptLimit, true))
    const untilLoaded = async (): Promise<void> => {
      while (connections.isLoading(clientId)) if (await Promise.race([limit, connections.newsOf(clientId)])) return
    }
    void this.add(untilLoaded())
  }

  /** Resolves when there is none, or after a limit. */
  async untilNone(): Promise<void> {
    if (this.#count === 0) return
    await new Promise<void>((resolve) => {
      this.#listeners.push(resolve)
      setTimeout(resolve, idleAnswerLimit)
    })
  }
}
