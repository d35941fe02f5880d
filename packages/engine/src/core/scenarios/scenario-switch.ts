import { editDistance } from '../edit-distance.ts'
import { failure, type UnderstudyError } from '../failure.ts'
import type { HandlerLayers } from '../handlers/handler-layers.ts'
import type { Handler } from '../handlers/request-handler.ts'
import { readScenarios, type ScenarioMap } from './read-scenarios.ts'

/** The owner of the scoped layer with the handlers of the active scenarios. Copies of the engine share it. */
const token = Symbol.for('understudy.scenarios')

/** What a network has of handlers: the layers of the current async context. */
interface LayersOwner {
  readonly layers: HandlerLayers
}

interface Source {
  readonly file: string
  readonly scenarios: ScenarioMap
}

/**
 * The scenarios of a network, and which of them are active. Which are active belongs to the layers: each boundary has
 * layers of its own.
 */
export class ScenarioSwitch {
  readonly #network: LayersOwner
  /** By what brings them: with module federation, a page has several handlers modules. */
  #sources: ReadonlyMap<unknown, Source> = new Map()
  /** The names of the active scenarios. */
  readonly #active = new WeakMap<HandlerLayers, readonly string[]>()
  /** Copies of layers: they contain the handlers of the active scenarios, not in a layer of ours. */
  readonly #copies = new WeakSet<HandlerLayers>()

  readonly #report: (message: string, names: readonly string[]) => void

  /** @param report tells people which scenarios are active, after each change */
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

  /** Notes that layers are a copy of the current ones, for a boundary. */
  copyTo(layers: HandlerLayers): void {
    this.#active.set(layers, this.active)
    this.#copies.add(layers)
  }

  /**
   * Takes the scenarios of a handlers module in place of those that it had before an edit. The active scenarios stay
   * active, with their new handlers.
   *
   * @param key identifies the module; its text stays the same after an edit
   * @param exported the module's export `scenarios`, of any type
   * @param file how the module is named to people
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
   * Activates the scenarios of these names in place of the active ones.
   *
   * @throws {UnderstudyError} if there is no scenario of a name; then nothing is changed
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
    // Also without handlers: the layer keeps its place behind those of stories.
    layers.install(token, handlers)
    // With the same handlers, the layers do not notify their listeners. The names differ: a scenario may be empty.
    layers.change([], {})
  }

  /** Otherwise, the scenarios from around a boundary would answer after those that it activates. */
  #disableCopied(layers: HandlerLayers): void {
    const copied = new Set(collect(this.#sources, this.active))
    const entries = layers.entries().filter(({ layer, handler }) => layer === 'initial' && copied.delete(handler))
    layers.change(entries, { enabled: false })
  }

  /** The name of the active scenario that contains a handler. */
  nameOf(handler: Handler): string | undefined {
    return this.active.find((name) => collect(this.#sources, [name]).includes(handler))
  }
}

/** @throws {UnderstudyError} for a name without a scenario */
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
