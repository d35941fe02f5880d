import { checkAnswer, createSaver, type HandlerSaver, type PanelHost } from '@understudy/panel'
import * as React from 'react'

const folder = new URL('__understudy/', new URL('.', location.href))

/** The token of this run of the development server; `undefined` if it cannot save handlers. */
let token: Promise<string | undefined> | undefined

async function readToken(): Promise<string | undefined> {
  try {
    const response = await fetch(new URL('token', folder))
    return response.ok ? ((await response.json()) as { token: string }).token : undefined
  } catch {
    // The server stopped, or it answers unknown paths with a page.
    return undefined
  }
}

const saver = createSaver(async (body) => {
  const response = await send(body)
  if (response.status !== 403) return checkAnswer(response)
  // The server was started again.
  token = readToken()
  return checkAnswer(await send(body))
})

async function send(body: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'X-Understudy-Token': (await token) ?? '' }
  return fetch(new URL('save', folder), { method: 'POST', headers, body })
}

/** Returns whether handlers can be saved: not in a built Storybook, and not if addons cannot extend the server of this version. */
export function useCanSave(): boolean {
  const [canSave, setCanSave] = React.useState(false)
  React.useEffect(() => {
    const { CONFIG_TYPE: type } = globalThis as { CONFIG_TYPE?: string }
    if (type !== 'DEVELOPMENT') return undefined
    let isWanted = true
    void (token ??= readToken()).then((found) => isWanted && setCanSave(found !== undefined))
    return () => {
      isWanted = false
    }
  }, [])
  return canSave
}

/**
 * Saves in the project's handlers module. Handlers of stories are in other files, so they are not replaced.
 *
 * @param getState returns the state with the positions in the sources
 */
export function saveForProject(getState: PanelHost['getState']): HandlerSaver {
  const { preview, previewAll, write, undo } = saver
  return {
    previewAll,
    write,
    undo,
    async preview(exchange, path, mode) {
      const { header, line } = exchange
      const { handlers = [], info } = getState() ?? {}
      const isOfProject = handlers.some(
        (each) =>
          each.header === header &&
          each.origin?.line === line &&
          info?.labels.some(({ id, layer }) => id === each.id && layer === 'project'),
      )
      if (header === null || header === undefined || isOfProject) return preview(exchange, path, mode)
      const shown = await preview({ ...exchange, line: null }, path, mode)
      const note = 'The handler that answered is in another file. It comes before the handlers of this file.'
      return { ...shown, notes: [...shown.notes, note] }
    },
  }
}
