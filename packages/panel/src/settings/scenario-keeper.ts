import type { PanelHost, PanelState } from '../panel-host.ts'

/** The property of the panel's settings text. A handler's key contains a space, so no handler has this key. */
const property = 'scenario'

/**
 * Stores the names of the active scenarios in the panel's settings text. A new page without an active scenario gets
 * those of the text. From then on, the text follows the page.
 */
export class ScenarioKeeper {
  #names: string
  readonly #onError: (error: unknown) => void
  /** The number of pending commands, by host. The state of a page is outdated until they are done. */
  readonly #underWay = new WeakMap<PanelHost, number>()

  constructor(text: string, onError: (error: unknown) => void) {
    this.#names = readNames(text)
    this.#onError = onError
  }

  update(host: PanelHost, { scenarios }: PanelState): void {
    if (!scenarios || !host.scenario) return
    const active = scenarios.active.join()
    const underWay = this.#underWay.get(host)
    this.#underWay.set(host, underWay ?? 0)
    if (underWay === undefined && active === '') this.#apply(host)
    else if (!underWay) this.#names = active
  }

  /** Reads the names of another text. An existing page gets them at once. */
  replace(text: string, host: PanelHost, state: PanelState | null): void {
    const names = readNames(text)
    if (names === this.#names) return
    this.#names = names
    if (state?.scenarios) this.#apply(host)
  }

  /** Returns the settings text of handlers with the names of the scenarios. */
  addTo(text: string): string {
    if (this.#names === '') return text
    return [text, new URLSearchParams({ [property]: this.#names })].filter((part) => String(part) !== '').join('&')
  }

  #apply(host: PanelHost): void {
    const names = this.#names === '' ? [] : this.#names.split(',')
    const { active = [] } = host.getState()?.scenarios ?? {}
    if (!host.scenario || active.join() === this.#names) return
    const count = (change: number): void => void this.#underWay.set(host, (this.#underWay.get(host) ?? 0) + change)
    count(1)
    host
      .scenario(names)
      .catch(this.#onError)
      .finally(() => count(-1))
  }
}

function readNames(text: string): string {
  return new URLSearchParams(text).get(property) ?? ''
}
