import { randomBytes } from 'node:crypto'

import { saveLimit } from '../handler-code/exchange.ts'
import type { HandlerSaving, HandlersPlace } from '../save/handler-saving.ts'
import { parseSaveRequest } from '../save/save-request.ts'
import type { ConnectMiddleware, ServerAnswer, ServerRequest } from './connect-middleware.ts'
import { parsePlaces, type LocatedPlace, type SourcePlace } from './located-place.ts'
import { PanelConnections } from './panel-connections.ts'
import { createPage, pagePolicy, readDockScript, readPageModule, readPageScript } from './panel-page.ts'
import { isOfOtherOrigin, isTrusted } from './request-checks.ts'
import { readExcerpt } from './source-excerpt.ts'

/** The options of {@link createPanelMiddleware}. */
export interface PanelMiddlewareOptions {
  /** The dev server's base path, with a slash at both ends. */
  base: string
  /** The project's folder. The panel shows code only of files in its repository. */
  root: string
  /**
   * The URL that opens a file in the developer's editor, up to the file's path: `/__open-in-editor?file=`. If it is
   * missing, places are not links.
   */
  editor?: string | undefined
  /** Returns the source position of a place in a stack trace; `undefined` if it is unknown. */
  locate: (place: SourcePlace) => Promise<LocatedPlace | undefined>
  /**
   * The name of the `BroadcastChannel` on which the server's process and its threads share their requests
   * (`shareServer` of `@understudy/engine/inspect`), if they render pages.
   */
  serverChannel?: string
  /**
   * Finds the handlers file, into which the panel may save handlers. Throws if there is none. If this option is
   * missing, the panel cannot save handlers.
   */
  findHandlers?: (() => HandlersPlace) | undefined
  /**
   * Whether the panel is part of another page of this server, as in Storybook. Then there is no page at `__understudy/`, and the other
   * page gets the token from `__understudy/token`.
   */
  isEmbedded?: boolean
}

/** The maximum length of a body in characters, except that of a request to save. */
const bodyLimit = 1_000_000

type Answer = (request: ServerRequest, response: ServerAnswer) => void

/**
 * Serves the panel at `__understudy/` under the base path: a static page and its script. Confidential data (paths on
 * the disk, requests of this process) is sent only to a page of this server. The page proves its origin with the token
 * in its HTML, which is new for each middleware, and so for each run of the server.
 */
export function createPanelMiddleware(options: PanelMiddlewareOptions): ConnectMiddleware {
  const { base, root, editor = '', locate, serverChannel, findHandlers, isEmbedded } = options
  const token = randomBytes(24).toString('base64url')
  const path = `${base}__understudy/`
  const ownPages: Readonly<Record<string, Answer>> = {
    [path.slice(0, -1)]: (_request, response) => {
      response.writeHead(302, { Location: path })
      response.end()
    },
    [path]: (request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.setHeader('Content-Security-Policy', pagePolicy)
      // An app with this policy can frame only pages that have it, too.
      response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
      const server = serverChannel === undefined ? 'no' : 'yes'
      send(request, response, createPage({ base, token, editor, server, save: findHandlers ? 'yes' : 'no' }))
    },
    [`${path}panel.js`]: (request, response) => sendScript(request, response, readPageScript()),
    [`${path}dock.js`]: (request, response) => sendScript(request, response, readDockScript()),
  }

  const pages: Readonly<Record<string, Answer>> = isEmbedded
    ? {
        [`${path}token`]: (request, response) => {
          response.setHeader('Content-Type', 'application/json')
          send(request, response, JSON.stringify({ token }))
        },
      }
    : ownPages

  function findModule(asked: string): Answer | undefined {
    const script = asked.startsWith(`${path}page/`) ? readPageModule(asked.slice(`${path}page/`.length)) : undefined
    return script === undefined ? undefined : (request, response) => sendScript(request, response, script)
  }

  const connections = serverChannel === undefined ? undefined : new PanelConnections(serverChannel)
  /** The requests that only the panel may send. */
  const secrets: Readonly<Record<string, Answer>> = {
    [`${path}locate`]: (request, response) => void answerPlaces(request, response, locate),
    [`${path}excerpt`]: (request, response) =>
      void answerPlaces(request, response, locate, async (place) => ({ code: await readExcerpt(place, root) })),
    ...(findHandlers && { [`${path}save`]: createSaveAnswer(findHandlers) }),
    ...(connections && {
      [`${path}connect`]: (_request, response) => connections.open(response),
      [`${path}tell`]: (request, response) => void answerMessage(request, response, connections),
    }),
  }

  /** The requests that every page of this server may send. */
  const shared: Readonly<Record<string, Answer>> = {
    [`${path}places`]: (request, response) => void answerPlaces(request, response, locate, toShown),
  }

  const serve: ConnectMiddleware = (request, response, next) => {
    // Express removes the path at which an app has the dev server from `url`.
    const asked = (request.originalUrl ?? request.url)?.split('?')[0] ?? ''
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPost = request.method === 'POST'
    const isSecret = isPost && !Object.hasOwn(shared, asked)
    const answers = isSecret ? secrets : isPost ? shared : isRead ? pages : {}
    const isModule = isRead && !isEmbedded
    const answer = Object.hasOwn(answers, asked) ? answers[asked] : isModule ? findModule(asked) : undefined
    if (!answer) {
      next()
      return
    }
    // Koa sets the status 404 before it calls a middleware of Connect.
    response.statusCode = 200
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
    // The dev server may have added headers that allow other origins to read the response.
    response.removeHeader('Access-Control-Allow-Origin')
    if (isSecret ? !isTrusted(request, token) : isOfOtherOrigin(request)) {
      response.writeHead(403, { 'Content-Type': 'text/plain' })
      response.end(
        'Only the panel of this dev server may send this request. If a reverse proxy forwards it, configure the proxy to keep the headers Host and Origin.',
      )
      return
    }
    answer(request, response)
  }

  return (request, response, next) => {
    try {
      serve(request, response, next)
    } catch (error) {
      // The package is being replaced. Servers that do not expect an error here never end the response.
      const reason = (error as Error).message
      response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' })
      response.end(`Failed to serve the panel: ${reason}. Restart the dev server, if the package was updated.`)
    }
  }
}

function send(request: ServerRequest, response: ServerAnswer, text: string): void {
  response.end(request.method === 'HEAD' ? undefined : text)
}

function sendScript(request: ServerRequest, response: ServerAnswer, script: string): void {
  response.setHeader('Content-Type', 'text/javascript; charset=utf-8')
  send(request, response, script)
}

async function answerPlaces(
  request: ServerRequest,
  response: ServerAnswer,
  locate: PanelMiddlewareOptions['locate'],
  toAnswer: (place: LocatedPlace) => object | Promise<object> = (place) => place,
): Promise<void> {
  try {
    const places = parsePlaces(await readText(request))
    if (!places) {
      response.writeHead(400)
      response.end()
      return
    }
    const answers = await Promise.all(
      places.map(async (each) => {
        const place = await locate(each).catch(() => undefined)
        return place ? toAnswer(place) : null
      }),
    )
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ places: answers }))
  } catch {
    // The request was aborted, or was too long.
    response.writeHead(400)
    response.end()
  }
}

/** The part of a place for the console of a page, without the path on the disk. */
function toShown({ name, line, column }: LocatedPlace): object {
  return { name, line, column }
}

async function answerMessage(
  request: ServerRequest,
  response: ServerAnswer,
  connections: PanelConnections,
): Promise<void> {
  let isHeard = false
  try {
    isHeard = connections.hear(JSON.parse(await readText(request)))
  } catch {
    // The body ended early, was too long, or is not JSON.
  }
  response.writeHead(isHeard ? 204 : 400)
  response.end()
}

function createSaveAnswer(findHandlers: () => HandlersPlace): Answer {
  let saving: Promise<HandlerSaving> | undefined
  const load = async (): Promise<HandlerSaving> => {
    // Load it on demand, because it loads a parser.
    try {
      const { HandlerSaving: Saving } = await import('../save/handler-saving.ts')
      return new Saving(findHandlers)
    } catch (error) {
      // The package is being replaced. Try again when the panel asks again.
      saving = undefined
      throw error
    }
  }
  return (request, response) => void answer(request, response)

  async function answer(request: ServerRequest, response: ServerAnswer): Promise<void> {
    const asked = await readText(request, saveLimit).then(parseSaveRequest, () => undefined)
    if (!asked) {
      response.writeHead(400)
      response.end()
      return
    }
    response.setHeader('Content-Type', 'application/json')
    try {
      saving ??= load()
      response.end(JSON.stringify(await (await saving).answer(asked)))
    } catch (error) {
      response.end(JSON.stringify({ error: (error as Error).message }))
    }
  }
}

async function readText(request: ServerRequest, limit = bodyLimit): Promise<string> {
  // A body parser of a server in front has read the body. It has limited the length, too.
  if (request.readableEnded) return toText(request.body)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of request) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (text.length > limit) throw new Error('Failed to read a request: it is too long. Send less. (US0843)')
  }
  return text
}

function toText(body: unknown): string {
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  return typeof body === 'string' ? body : JSON.stringify(body)
}
