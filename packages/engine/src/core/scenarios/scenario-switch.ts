import { editDistance } from '../edit-distance.ts'
import { failure, type UnderstudyError } from '../failure.ts'
import type { HandlerLayers } from '../handlers/handler-layers.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { readScenarios, type ScenarioMap } from './read-scenarios.ts'

/** The owner of the scoped layer with the handlers of the active scenarios. Copies of the engine share it. */
const token = Symbol.for('understudy.scenarios')

/** A network with the layers of the current async context. */
interface LayersOwner {
  readonly layers: HandlerLayers
}

/** A network that can have scenarios. */
export interface ScenariosOwner extends LayersOwner {
  scenarios?: ScenarioSwitch
}

interface Source {
  readonly file: string
  readonly scenarios: ScenarioMap
}

/**
 * The scenarios of a network, and which of them are active. Each boundary has its own layers, and so its own active
 * scenarios.
 */
export class ScenarioSwitch {
  readonly #network: LayersOwner
  /** The scenarios by handlers module. With module federation, a page has several. */
  #sources: ReadonlyMap<unknown, Source> = new Map()
  /** The names of the active scenarios. */
  readonly #active = new WeakMap<HandlerLayers, readonly string[]>()
  /** Copies of layers. They contain the handlers of the active scenarios, but not in a layer with our token. */
  readonly #copies = new WeakSet<HandlerLayers>()

  readonly #report: (message: string, names: readonly string[]) => void

  /** @param report prints which scenarios are active, after each change */
  constructor(network: LayersOwner, report: (message: string, names: readonly string[]) => void = () => {}) {
    this.#network = network
    this.#report = report
  }

  /** The names of all scenarios. */
  get names(): readonly string[] {
    return [...new Set(Array.from(this.#sources.values(), ({ scenarios }) => [...scenarios.keys()]).flat())]
  }

  /** The names of the active scenarios in the current async context: the first one has precedence. */
  get active(): readonly string[] {
    return this.#active.get(this.#network.layers) ?? []
  }

  /** Registers layers as a copy of the current ones, for a boundary. */
  copyTo(layers: HandlerLayers): void {
    this.#active.set(layers, this.active)
    this.#copies.add(layers)
  }

  /**
   * Sets the scenarios of a handlers module. After an edit, they replace the previous ones. The active scenarios stay
   * active, with their new handlers.
   *
   * @param key identifies the module. It stays the same after an edit
   * @param exported the module's export `scenarios`, of any type
   * @param file the module's name in messages
   * @throws {UnderstudyError} if the export is not valid, or lacks a scenario that is active; then nothing is changed
   */
  take(key: unknown, exported: unknown, file: string): void {
    const sources = new Map(this.#sources).set(key, { file, scenarios: readScenarios(exported, file) })
    const { active } = this
    const handlers = collect(sources, active)
    this.#sources = sources
    this.#install(active, handlers)
  }

  /**
   * Replaces the active scenarios with the scenarios of these names.
   *
   * @throws {UnderstudyError} if there is no scenario with a name; then nothing is changed
   */
  activate(names: readonly string[]): void {
    const unique = [...new Set(names)]
    this.#install(unique, collect(this.#sources, unique))
    this.#report(describeActive(unique), unique)
  }

  #install(names: readonly string[], handlers: readonly Handler[]): void {
    const { layers } = this.#network
    if (this.#copies.delete(layers)) this.#disableCopied(layers)
    this.#active.set(layers, names)
    // Install the layer also without handlers, so that it keeps its position after the layers of stories.
    layers.install(token, handlers)
    // If the handlers are the same (scenarios may be empty), the layers do not notify their listeners, but the names
    // have changed.
    layers.change([], {})
  }

  /** Otherwise, scenarios from outside a boundary would still answer, after those that the boundary activates. */
  #disableCopied(layers: HandlerLayers): void {
    const copied = new Set(collect(this.#sources, this.active))
    const entries = layers.entries().filter(({ layer, handler }) => layer === 'initial' && copied.delete(handler))
    layers.change(entries, { enabled: false })
  }

  /** Returns the name of the active scenario that contains a handler. */
  nameOf(handler: Handler): string | undefined {
    return this.active.find((name) => collect(this.#sources, [name]).includes(handler))
  }
}

/** @throws {UnderstudyError} if there is no scenario with a name */
function collect(sources: ReadonlyMap<unknown, Source>, names: readonly string[]): Handler[] {
  return names.flatMap((name) => {
    const found = Array.from(sources.values(), ({ scenarios }) => scenarios.get(name)).filter(
      (set) => set !== undefined,
    )
    if (found.length === 0) throw toUnknown(name, sources)
    return found.flat()
  })
}

function describeActive(names: readonly string[]): string {
  if (names.length === 0) return 'No scenario is active.'
  return `Active scenario${names.length === 1 ? '' : 's'}: ${names.join(', ')}.`
}

function toUnknown(name: string, sources: ReadonlyMap<unknown, Source>): UnderstudyError {
  const files = Array.from(sources.values(), ({ file }) => file).join(' and ') || 'the handlers module'
  const names = [...new Set(Array.from(sources.values(), ({ scenarios }) => [...scenarios.keys()]).flat())]
  const nearest = names
    .map((other) => ({ other, distance: editDistance(other, name), longest: Math.max(other.length, name.length) }))
    .filter(({ distance, longest }) => distance < longest && distance <= Math.max(2, longest / 3))
    .toSorted((a, b) => a.distance - b.distance)[0]?.other
  const quoted = names.map((other) => `"${other}"`).join(', ')
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
  return failure(
    'US0143',
    `activate the scenario ${shown}`,
    names.length === 0 ? `${files} exports no scenarios` : `${files} has no scenario of this name`,
    names.length === 0
      ? 'Export them: export const scenarios = { empty: [http.get(path, resolver)] }.'
      : `${nearest === undefined ? '' : `Did you mean "${nearest}"? `}The scenarios are: ${quoted}.`,
  )
}
