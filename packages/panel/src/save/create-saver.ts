import type { HandlerSaver } from '../panel-host.ts'
import type { SaveRequest } from './save-request.ts'

/**
 * Saves handlers through a dev server, which computes the edits.
 *
 * @param post sends a body to the dev server's endpoint `save`. Its response is not checked
 */
export function createSaver(post: (body: string) => Promise<Response>): HandlerSaver {
  const ask = async <Answer>(request: SaveRequest): Promise<Answer> =>
    (await post(JSON.stringify(request))).json() as Promise<Answer>

  /** @throws the dev server's message, which has a code */
  async function change(request: SaveRequest): Promise<void> {
    const { error } = await ask<{ error?: string }>(request)
    if (error) throw new Error(error)
  }

  return {
    preview: (exchange, path, mode) => ask({ action: 'preview', exchange, path, mode }),
    previewAll: (exchanges, path) => ask({ action: 'preview-all', exchanges, path }),
    previewScenario: (name, items) => ask({ action: 'preview-scenario', name, items }),
    write: (id) => change({ action: 'write', id }),
    undo: (id) => change({ action: 'undo', id }),
  }
}

/**
 * Returns the response of a dev server.
 *
 * @throws {Error} if the dev server refused the request
 */
export function checkAnswer(response: Response): Response {
  if (!response.ok) {
    throw new Error(`Failed to ask the dev server: it answered ${response.status}. Reload the panel. (US0841)`)
  }
  return response
}
