import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'

import { serializeParsedBody } from '@understudy/engine/internal/dev'
import type { Connect } from 'vite'

import type { Project } from '../project.ts'
import { isNavigation, originOf, pathOf } from './document-request.ts'
import type { Rendering } from './rendering.ts'

/**
 * Answers requests for documents that reach the dev server with the handlers: requests before there is a service
 * worker, and requests that browsers do not show to service workers (`<a download>`, `<object>`, `<embed>`). Such a
 * document may have no service worker, so its own requests are answered, too.
 */
export function answerDocuments(rendering: Rendering, project: Project): Connect.NextHandleFunction {
  /** The URLs of the answered documents, as in their requests. */
  const documents = new Set<string>()
  async function handle(
    request: Connect.IncomingMessage,
    response: ServerResponse,
    next: Connect.NextFunction,
    isForDocument: boolean,
  ): Promise<void> {
    try {
      const answer = await findAnswer(request, rendering, isForDocument)
      if (!answer) {
        next()
        return
      }
      if (isForDocument) remember(documents, request)
      await write(answer, request, response)
    } catch (error) {
      if (!isLeft(error)) next(error)
    }
  }
  return (request, response, next) => {
    const isForDocument = isNavigation(request.headers)
    const isIgnored = isForDocument ? isRoot(request, project) : !documents.has(request.headers.referer ?? '')
    if (isIgnored) next()
    else void handle(request, response, next, isForDocument)
  }
}

const longestMemory = 100

function remember(documents: Set<string>, request: Connect.IncomingMessage): void {
  const [oldest = ''] = documents
  if (documents.size >= longestMemory) documents.delete(oldest)
  documents.add(originOf(request) + pathOf(request))
}

/** The app's first page needs no handlers, and must not wait until they are loaded. */
function isRoot(request: Connect.IncomingMessage, { appPath }: Project): boolean {
  const [path] = pathOf(request).split('?')
  return path === appPath || path === `${appPath}index.html`
}

async function findAnswer(
  request: Connect.IncomingMessage,
  rendering: Rendering,
  isForDocument: boolean,
): Promise<Response | undefined> {
  const { method = 'GET' } = request
  const url = new URL(originOf(request) + pathOf(request))
  const answers = await rendering.findAnswers()
  if (!(await answers?.mayAnswer(method, url, isForDocument))) return undefined
  const headers = new Headers(toHeaders(request.headers))
  const body = await peekBody(request, headers)
  return answers?.answer(new Request(url, { method, headers, body }), isForDocument)
}

/**
 * Returns whether the browser closed the connection: the user canceled a download, or left the page. Vite would print it as an error,
 * and show it over the app's pages.
 */
function isLeft(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET'
}

/** Headers of a connection, which HTTP/2 does not allow. */
const connectionHeader = /^(?:connection|keep-alive|proxy-connection|transfer-encoding|upgrade)$/i

async function write(
  answer: Response,
  { method, httpVersionMajor }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (answer.type === 'error') {
    response.destroy()
    return
  }
  response.statusCode = answer.status
  const isHttp2 = httpVersionMajor > 1
  // HTTP/2 has no text for the status.
  if (!isHttp2) response.statusMessage = answer.statusText
  for (const [name, value] of answer.headers) {
    if (!isHttp2 || !connectionHeader.test(name)) response.appendHeader(name, value)
  }
  if (method === 'HEAD' || !answer.body) response.end()
  else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response)
}

function toHeaders(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, values = []]) =>
    // Those of HTTP/2 such as ":path" are in the URL and the method.
    name.startsWith(':') ? [] : [values].flat().map((value): [string, string] => [name, value]),
  )
}

/** Reads the body of a form, and puts it back for the server that gets the request if no handler answers. */
async function peekBody(
  request: IncomingMessage & { readonly body?: unknown },
  headers: Headers,
): Promise<ReturnType<typeof serializeParsedBody>> {
  const length = Number(request.headers['content-length'] ?? 0)
  if (length === 0) return null
  // A body parser of a server in front has read it, and the request emits no more events.
  if (request.readableEnded) return serializeParsedBody(request.body, headers)
  const chunks: Buffer[] = []
  for (let read = 0; read < length;) {
    const chunk = request.read() as Buffer | null
    if (chunk) {
      chunks.push(chunk)
      read += chunk.length
    } else await once(request, 'readable')
  }
  const body = Buffer.concat(chunks)
  request.unshift(body)
  return body
}
