import { checkAnswer, createSaver, type HandlerSaver, type PanelHost } from '@understudy/panel'
import * as React from 'react'

import { findLayers } from './find-layers.ts'

const folder = new URL('__understudy/', new URL('.', location.href))

/** The token of this run of the development server; `undefined` if it is unknown. */
let token: string | undefined

async function readToken(): Promise<string | undefined> {
  try {
    const response = await fetch(new URL('token', folder))
    token = response.ok ? ((await response.json()) as { token: string }).token : undefined
  } catch {
    // The server stopped, or it answers unknown paths with a page.
    token = undefined
  }
  return token
}

const saver = createSaver(async (body) => {
  const response = await send(body)
  if (response.status !== 403) return checkAnswer(response)
  // The server was started again.
  await readToken()
  return checkAnswer(await send(body))
})

async function send(body: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', 'X-Understudy-Token': token ?? '' }
  return fetch(new URL('save', folder), { method: 'POST', headers, body })
}

/** Returns whether handlers can be saved: not in a built Storybook, and not if addons cannot extend the server of this version. */
export function useCanSave(): boolean {
  const [canSave, setCanSave] = React.useState(false)
  React.useEffect(() => {
    const { CONFIG_TYPE: type } = globalThis as { CONFIG_TYPE?: string }
    if (type !== 'DEVELOPMENT') return undefined
    let isWanted = true
    void readToken().then((found) => isWanted && setCanSave(found !== undefined))
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
      const layers = findLayers(exchange, getState())
      if (layers.length > 0 && layers.every((layer) => layer === 'project')) return preview(exchange, path, mode)
      // Without a line, no handler of the file is replaced.
      const shown = await preview({ ...exchange, line: null }, path, mode)
      if (layers.length === 0) return shown
      const note = 'Another handler answered. It comes before the handlers of this file.'
      return { ...shown, notes: [...shown.notes, note] }
    },
  }
}
