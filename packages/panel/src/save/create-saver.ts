import type { HandlerSaver } from '../panel-host.ts'
import type { SaveRequest } from './save-request.ts'

/**
 * Saves handlers through a dev server, which computes the edits.
 *
 * @param post sends a body to the dev server's endpoint `save`, and returns the JSON of its answer
 */
export function createSaver(post: (body: string) => Promise<unknown>): HandlerSaver {
  const ask = async <Answer>(request: SaveRequest): Promise<Answer> => (await post(JSON.stringify(request))) as Answer

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
