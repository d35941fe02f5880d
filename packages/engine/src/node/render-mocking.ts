import { formatCallSite } from '../core/call-site.ts'
import { failure } from '../core/failure.ts'
import { Candidates } from '../core/handlers/candidates.ts'
import { IncomingRequest } from '../core/handlers/incoming-request.ts'
import { pickHandlers } from '../core/handlers/pick-handlers.ts'
import { anyPath, markAsOfApp, mayAnswerDocuments, mayBePage, type AppPages } from '../core/network/document-request.ts'
import { handleRequest } from '../core/network/handle-request.ts'
import { Network, type HandlersControl } from '../core/network/network.ts'
import { carryOut } from '../core/source.ts'
import {
  readUnhandledPolicy,
  type UnhandledRequestOption,
  type UnhandledRequestStrategy,
} from '../core/unhandled/unhandled-request.ts'
import { loadPublicSuffixes } from './load-public-suffixes.ts'
import { createServer } from './setup-server.ts'

/** The options that a plugin passes to the process that renders pages. */
export interface RenderMockingOptions {
  /** The handlers module's name in messages. */
  file: string
  onUnhandledRequest: UnhandledRequestStrategy
  /**
   * Returns whether the current code makes requests for the app. Requests of the build tool in the same process are
   * neither mocked nor reported.
   */
  isOfApp: () => boolean
  /** The app's own pages. Default: every path may be one. */
  pages?: AppPages
}

/** Mocking in the process of a build tool that renders pages. Handlers modules can be replaced. */
export interface RenderMocking extends Pick<HandlersControl, '~network'> {
  /** Starts to intercept. Until {@link take} succeeds, the app's requests fail. */
  start(): void
  /**
   * Replaces the handlers with those of a module, all at once.
   *
   * @throws {UnderstudyError} if the exports of the module are not valid; then nothing is changed
   */
  take(module: object & { onUnhandledRequest?: unknown; state?: unknown }): Promise<void>
  /** Returns whether {@link answer} may return a response. If not, the request's body does not have to be read. */
  mayAnswer(method: string, url: URL, isForDocument: boolean): Promise<boolean>
  /**
   * Answers a browser's request that reached the server because no service worker could answer it, such as that for the
   * first document. This works without mocking the process's own requests.
   *
   * @returns `undefined` if the server must answer the request
   */
  answer(request: Request, isForDocument: boolean): Promise<Response | undefined>
  /**
   * Sets the error with which the app's requests fail until there are handlers. Earlier handlers stay.
   *
   * @returns the error for the terminal
   */
  fail(cause: unknown): Error
  /** Stops intercepting. */
  stop(): void
}

/**
 * Creates the mocking for a process that renders pages and also makes other requests.
 *
 * @example
 * const mocking = createRenderMocking({ file: 'src/mocks/handlers.ts', onUnhandledRequest: 'warn', isOfApp })
 * mocking.start()
 * await mocking.take(await import('./src/mocks/handlers.ts'))
 */
export function createRenderMocking(options: RenderMockingOptions): RenderMocking {
  const { file, onUnhandledRequest, isOfApp, pages = anyPath } = options
  const network = new Network([], { concerns: isOfApp, loadPublicSuffixes })
  network.pages = pages
  const server = createServer(network)
  let policy = readUnhandledPolicy({ onUnhandledRequest })
  /** The error with which the app's requests fail; `undefined` once there are handlers. */
  let reason: Error | undefined = failure(
    'US0407',
    `load the handlers of ${file}`,
    'a request was made before they were loaded',
    'Make requests only while a page is rendered.',
  )

  return {
    '~network': network,
    start() {
      server.listen()
      network.unhandled = {
        get decides() {
          return reason !== undefined || policy.decides
        },
        get fails() {
          return reason !== undefined || policy.fails
        },
        get isSilent() {
          return reason === undefined && policy.isSilent
        },
        async apply(...args) {
          if (reason) throw reason
          await policy.apply(...args)
        },
      }
    },
    async take(module) {
      const handlers = await pickHandlers(module, file)
      policy = readUnhandledPolicy({
        onUnhandledRequest: (module.onUnhandledRequest ?? onUnhandledRequest) as UnhandledRequestOption,
      })
      network.states = new Map([['module', module.state]])
      network.layers.replaceInitial(handlers)
      reason = undefined
    },
    async mayAnswer(method, url, isForDocument) {
      // A request to another server may be meant for a handler that could not be loaded. The app's own pages show the
      // error.
      if (reason) return !mayBePage(url, pages)
      const incoming = new IncomingRequest(new Request(url, { method }), '', undefined, undefined)
      const candidates = new Candidates(network.layers, incoming)
      for (let entry = await candidates.next(); entry; entry = await candidates.next()) {
        if (!isForDocument || mayAnswerDocuments(entry.handler, undefined, pages)) return true
      }
      return false
    },
    async answer(request, isForDocument) {
      if (reason) return new Response(reason.message, { status: 500 })
      const outcome = await handleRequest(isForDocument ? markAsOfApp(request, 'navigate') : request, network)
      return carryOut<Response | undefined>(outcome, {
        respond: (response) => response,
        fail: () => Response.error(),
        passthrough: () => undefined,
      })
    },
    fail(cause) {
      const error = describe(cause, file)
      if (reason) reason = error
      const consequence = reason
        ? 'Until then, requests that are made while a page is rendered fail.'
        : 'Until then, the previous handlers keep answering while pages are rendered.'
      return Object.assign(new Error(`${error.message} ${consequence}`, { cause }), { name: error.name })
    },
    stop: () => server.close(),
  }
}

function describe(cause: unknown, file: string): Error {
  // If the engine threw the error, its message is complete.
  if (cause instanceof Error && cause.name === 'UnderstudyError') return cause
  const { name, message, stack = '' } = cause instanceof Error ? cause : new Error(String(cause))
  const place = findPlace(stack)
  return failure(
    'US0408',
    `load the handlers of ${file}`,
    `${name}: ${message}${place ? ` (at ${place})` : ''}`,
    'Fix the error and save the file.',
    {
      cause,
    },
  )
}

/**
 * Finds the first line of the project. Lines of packages belong to a build tool, or do not show which call is wrong. Folders may
 * contain spaces and parentheses. For code of `eval()`, its line is that of the call.
 */
function findPlace(stack: string): string | undefined {
  const frame =
    /^\s+at (?:async )?(?:.+? \()?((?:file:\/\/)?(?:\/|[A-Z]:[\\/]).*?:\d+:\d+)(?:\)+, <anonymous>:\d+:\d+)?\)?$/gm
  const places = [...stack.matchAll(frame)].map(([, each = '']) => each)
  const place = places.find((each) => !/[\\/]node_modules[\\/]/.test(each))
  const [, file = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(place ?? '') ?? []
  return place && formatCallSite({ file, line: Number(line), column: Number(column) })
}
