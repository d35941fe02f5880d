import type { ViteDevServer, WebSocketClient } from 'vite'

import type { Project } from './project.ts'

/**
 * The event with which a page asks how long ago its handlers were edited. Its data is the run's `token`. The data of the
 * answer is `ago`, in milliseconds. Vite sends an update only to pages that are connected at that moment. A page that had
 * already requested its handlers, but was not connected, would keep the old handlers until the next edit.
 */
export const lastEditEvent = 'understudy:last-edit'

/** The event with which a page without handlers asks whether there are handlers now, with the run's `token`, and the answer. */
export const handlersFoundEvent = 'understudy:handlers-found'

/** The time of the last edit of the handlers. */
export interface LastEdit {
  note(): void
  /** Answers the requests of a dev server's pages. */
  answer(server: ViteDevServer): void
}

export function createLastEdit(project: Project): LastEdit {
  let last: number | undefined
  return {
    note() {
      last = performance.now()
    },
    answer({ ws }) {
      ws.on(lastEditEvent, (data: unknown, client: WebSocketClient) => {
        if (last === undefined || !project.hasPageToken(data)) return
        client.send(lastEditEvent, { ago: performance.now() - last })
      })
    },
  }
}
