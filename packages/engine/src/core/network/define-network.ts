import { describe } from '../describe.ts'
import { failure } from '../failure.ts'
import { checkOptions, readHandlers, type HandlersInput } from '../handlers/check-handlers.ts'
import type { NetworkHandle, Source } from '../source.ts'
import { setUnhandledReport } from '../unhandled/set-unhandled-report.ts'
import * as unhandledReport from '../unhandled/unhandled-report.ts'
import { readUnhandledPolicy, type UnhandledOptions } from '../unhandled/unhandled-request.ts'
import { cookieJarOf } from './cookie-jar-of.ts'
import type { LifeCycleEmitter } from './life-cycle-events.ts'
import { createNetworkHandle } from './network-handle.ts'
import { createHandlersControl, Network, type HandlersControl } from './network.ts'

setUnhandledReport(unhandledReport)

/** Options of {@link defineNetwork}. */
export interface DefineNetworkOptions<Sources extends readonly Source[] = readonly Source[]> extends UnhandledOptions {
  /** The sources, which bring requests to the network. They start in this order. */
  sources: Sources
  /** The initial handlers. Default: none. */
  handlers?: HandlersInput
  /** `baseUrl`: the base of relative paths. Default: the page's URL, if there is a page. */
  context?: { baseUrl?: string }
}

/** Options of {@link NetworkControl.configure}. Options that are not given stay as they are. */
export type ConfigureOptions = Partial<Pick<DefineNetworkOptions, 'sources' | 'handlers'>> & UnhandledOptions

/** The values of {@link NetworkControl.readyState}. */
export const NetworkReadyState: { readonly DISABLED: 0; readonly ENABLED: 1 } = { DISABLED: 0, ENABLED: 1 }

/** The control object that {@link defineNetwork} returns. */
export interface NetworkControl<Sources extends readonly Source[] = readonly Source[]> extends HandlersControl {
  /** Whether the network is enabled. See {@link NetworkReadyState}. */
  readonly readyState: 0 | 1
  /**
   * Starts the sources.
   *
   * @returns a promise only if a source starts asynchronously
   * @throws {UnderstudyError} if the network is already enabled. It also throws what a source throws, after it has
   * stopped all sources
   */
  enable(): Ended<Sources, 'start'>
  /**
   * Stops the sources. Handlers, cookies and listeners stay.
   *
   * @returns a promise only if a source stops asynchronously
   * @throws {UnderstudyError} if the network is not enabled. It also throws what a source throws, after it has stopped
   * the other sources
   */
  disable(): Ended<Sources, 'stop'>
  /**
   * Replaces options.
   *
   * @throws {UnderstudyError} if the network is enabled, or an option is not valid
   */
  configure(options: ConfigureOptions): void
  readonly events: LifeCycleEmitter
  /** The cookies that mocked responses set. */
  readonly cookies: { clear(): void }
}

/** `void` or a promise, as the methods of the sources are. */
type Ended<Sources extends readonly Source[], Method extends 'start' | 'stop'> =
  ReturnType<Sources[number][Method]> extends infer Result
    ? [Extract<Result, Promise<unknown>>] extends [never]
      ? void
      : [Exclude<Result, Promise<unknown>>] extends [never]
        ? Promise<void>
        : void | Promise<void>
    : never

/**
 * Defines a network: handlers, and the sources that bring requests to them. `setupWorker` and `setupServer` do the same
 * with the sources of pages and of Node.
 *
 * @throws {UnderstudyError} if an option is not valid
 * @example
 * const network = defineNetwork({ sources: [new QueueSource()], handlers, onUnhandledRequest: 'error' })
 * await network.enable()
 * @see MSW's `defineNetwork`
 */
export function defineNetwork<const Sources extends readonly Source[]>(
  options: DefineNetworkOptions<Sources>,
): NetworkControl<Sources> {
  const operation = 'define a network'
  checkOptions(operation, options)
  const { baseUrl } = options.context ?? {}
  let sources: readonly Source[] = readSources(operation, options.sources)
  const network = new Network(readHandlers(operation, [options.handlers ?? []]), {
    ...(baseUrl !== undefined && { baseUrl }),
    unhandled: readUnhandledPolicy(options),
  })
  const handle = createNetworkHandle(network)
  /** Identifies the time from `enable()` to `disable()`. */
  let session: object | undefined

  function checkState(action: string, isEnabled: boolean, advice: string): void {
    if ((session !== undefined) === isEnabled) return
    throw failure('US0131', `${action} the network`, isEnabled ? 'it is not enabled' : 'it is enabled', advice)
  }

  return {
    ...createHandlersControl(network),
    get readyState() {
      return session ? NetworkReadyState.ENABLED : NetworkReadyState.DISABLED
    },
    enable() {
      checkState('enable', false, 'Call disable() first.')
      const own = (session = {})
      const onFailure = (): boolean => {
        const isCurrent = session === own
        if (isCurrent) session = undefined
        return isCurrent
      }
      return startAll(sources, handle, onFailure) as Ended<Sources, 'start'>
    },
    disable() {
      checkState('disable', true, 'Call enable() first.')
      session = undefined
      return stopAll(sources) as Ended<Sources, 'stop'>
    },
    configure(changes) {
      checkOptions('configure the network', changes)
      checkState('configure', false, 'Call disable() first.')
      const replacement = changes.sources && readSources('configure the network', changes.sources)
      const handlers = changes.handlers && readHandlers('configure the network', [changes.handlers])
      const isPolicyGiven = (changes.onUnhandledRequest ?? changes.onUnhandledFrame) !== undefined
      const policy = isPolicyGiven ? readUnhandledPolicy(changes) : network.unhandled
      // Replace the options only after all of them were checked.
      network.unhandled = policy
      if (replacement) sources = replacement
      if (handlers) network.layers.replaceInitial(handlers)
    },
    events: network.events,
    cookies: { clear: () => cookieJarOf(network).clear() },
  }
}

function readSources(operation: string, values: readonly unknown[]): readonly Source[] {
  if (!Array.isArray(values)) {
    throw failure('US0130', operation, `"sources" is ${describe(values)}`, 'Pass an array: { sources: [source] }.')
  }
  values.forEach((value, index) => {
    const { name, start, stop } = (value ?? {}) as Partial<Record<keyof Source, unknown>>
    if (typeof name === 'string' && typeof start === 'function' && typeof stop === 'function') return
    const reason = `item ${index + 1} of "sources" is ${describe(value)}`
    throw failure('US0132', operation, reason, 'A source has a name, and the methods start() and stop().')
  })
  return [...(values as readonly Source[])]
}

/**
 * Starts sources in their order. If one fails, stops all, and throws what the first threw.
 *
 * @param onFailure returns whether to stop: the network may have been disabled, and enabled again, since
 */
function startAll(sources: readonly Source[], handle: NetworkHandle, onFailure: () => boolean): void | Promise<void> {
  const starting: Promise<void>[] = []
  try {
    for (const source of sources) {
      const started = source.start(handle)
      if (started) starting.push(started)
    }
  } catch (error) {
    onFailure()
    void Promise.allSettled(starting)
    void Promise.allSettled(endAll(sources).pending)
    throw error
  }
  if (starting.length === 0) return
  return Promise.allSettled(starting).then(async (results) => {
    const failed = results.find(({ status }) => status === 'rejected')
    if (!failed) return
    if (onFailure()) await Promise.allSettled(endAll(sources).pending)
    throw (failed as PromiseRejectedResult).reason
  })
}

/** Stops all sources, even if one fails. Throws what the first threw. */
function stopAll(sources: readonly Source[]): void | Promise<void> {
  const { pending, errors } = endAll(sources)
  const check = (thrown: readonly unknown[]): void => {
    if (thrown.length > 0) throw thrown[0]
  }
  if (pending.length === 0) return check(errors)
  return Promise.allSettled(pending).then((results) =>
    check([
      ...errors,
      ...results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : [])),
    ]),
  )
}

function endAll(sources: readonly Source[]): { pending: Promise<void>[]; errors: unknown[] } {
  const pending: Promise<void>[] = []
  const errors: unknown[] = []
  for (const source of sources) {
    try {
      const stopped = source.stop()
      if (stopped) pending.push(stopped)
    } catch (error) {
      errors.push(error)
    }
  }
  return { pending, errors }
}
