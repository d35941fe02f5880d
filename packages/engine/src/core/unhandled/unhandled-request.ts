import { describe as nameValue } from '../describe.ts'
import { failure, print } from '../failure.ts'
import { isCommonAssetRequest } from './is-common-asset-request.ts'
import { toExpectedRequest } from './older-callbacks.ts'

/** What to do with a request that no handler matches, by name. */
export type UnhandledRequestStrategy = 'bypass' | 'warn' | 'error'

/** Prints the messages of the named strategies. It does not fail the request. */
export interface UnhandledRequestPrint {
  warning(): void
  error(): void
}

/**
 * A function that decides about a request. To fail the request, throw.
 *
 * @example
 * onUnhandledRequest(request, print) {
 *   if (new URL(request.url).pathname.startsWith('/api/')) print.error()
 * }
 */
export type UnhandledRequestCallback = (request: Request, print: UnhandledRequestPrint) => void | Promise<void>

/** What to do with a request that no handler matches: `'bypass'`, `'warn'`, `'error'`, or a callback that decides. */
export type UnhandledRequestOption = UnhandledRequestStrategy | UnhandledRequestCallback

/** A WebSocket connection that no handler takes. */
export interface UnhandledConnection {
  readonly client: { readonly id: string; readonly url: URL; close(code?: number, reason?: string): void }
  readonly info: { readonly protocols: string | string[] | undefined }
}

/** A request or connection that no handler matches, in the form of MSW 3. */
export type UnhandledFrame =
  | { readonly protocol: 'http'; readonly data: { readonly id: string; readonly request: Request } }
  | { readonly protocol: 'ws'; readonly data: { readonly connection: UnhandledConnection } }

/** The same callback in the form of MSW 3. */
export type UnhandledFrameCallback = (args: {
  frame: UnhandledFrame
  defaults: { warn(): void; error(): void }
}) => void | Promise<void>

/** As {@link UnhandledRequestOption}, with the callback of MSW 3. */
export type UnhandledFrameOption = UnhandledRequestStrategy | UnhandledFrameCallback

/** The option under both of its names. If both are given, `onUnhandledRequest` is used. */
export interface UnhandledOptions {
  /**
   * Default: `'warn'`. The named strategies never report common assets. A function is also called for these, except for
   * scripts, style sheets and web workers of the page's origin.
   */
  onUnhandledRequest?: UnhandledRequestOption
  /** As `onUnhandledRequest`, with the callback of MSW 3. */
  onUnhandledFrame?: UnhandledFrameOption
}

const strategies: readonly unknown[] = ['bypass', 'warn', 'error'] satisfies UnhandledRequestStrategy[]

/** The policy that the engine applies to unhandled requests. `apply` rejects to fail the request. */
export interface UnhandledPolicy {
  /** Whether it may fail or read the request, so that the request must wait for it. */
  readonly decides: boolean
  /** Whether it fails every unhandled request: the strategy is `'error'`. */
  readonly fails: boolean
  /** Whether it does anything at all. */
  readonly isSilent: boolean
  /**
   * @param describe describes the unhandled request for the console. It is costly: call it only to print
   * @param connection the WebSocket connection that the request asks for
   */
  apply(request: Request, requestId: string, describe: () => string, connection?: UnhandledConnection): Promise<void>
}

/**
 * Reads the option.
 *
 * @throws {UnderstudyError} if the strategy does not exist
 */
export function readUnhandledPolicy(options: UnhandledOptions): UnhandledPolicy {
  const name = options.onUnhandledRequest === undefined ? 'onUnhandledFrame' : 'onUnhandledRequest'
  const chosen = options.onUnhandledRequest ?? toRequestOption(options.onUnhandledFrame) ?? 'warn'
  if (typeof chosen !== 'function' && !strategies.includes(chosen)) {
    throw failure(
      'US0116',
      `read the option "${name}"`,
      `${toText(chosen)} is not a valid strategy`,
      'Use "bypass", "warn", "error" or a function.',
    )
  }
  return {
    decides: chosen === 'error' || typeof chosen === 'function',
    fails: chosen === 'error',
    isSilent: chosen === 'bypass',
    async apply(request, requestId, describe, connection) {
      const report = (level: 'warn' | 'error'): void => print[level]('US0201', describe())
      if (typeof chosen === 'function') {
        const callback = chosen as (...args: [...Parameters<UnhandledRequestCallback>, ...FrameParts]) => unknown
        await callback(
          toExpectedRequest(callback, request, requestId),
          { warning: () => report('warn'), error: () => report('error') },
          requestId,
          connection,
        )
        return
      }
      if (chosen === 'bypass' || (!connection && isCommonAssetRequest(request))) return
      if (chosen === 'warn') {
        report('warn')
        return
      }
      report('error')
      throw failure(
        'US0202',
        `${connection ? 'open the WebSocket' : `answer ${request.method}`} ${request.url}`,
        'no handler matches it and "onUnhandledRequest" is "error"',
        'Add a handler for it.',
      )
    },
  }
}

/** The arguments from which a frame is created, in addition to the request. */
type FrameParts = [requestId: string, connection: UnhandledConnection | undefined]

function toRequestOption(option: UnhandledFrameOption | undefined): UnhandledRequestOption | undefined {
  if (typeof option !== 'function') return option
  return ((request: Request, report: UnhandledRequestPrint, ...[id, connection]: FrameParts) =>
    option({
      frame: connection ? { protocol: 'ws', data: { connection } } : { protocol: 'http', data: { id, request } },
      defaults: { warn: () => report.warning(), error: () => report.error() },
    })) as UnhandledRequestCallback
}

function toText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    // `JSON.stringify` throws for a bigint or a cycle.
    return nameValue(value)
  }
}
