import { readFile } from 'node:fs/promises'

import { addWrittenPlaces, importsEngine } from '@understudy/engine/internal/dev'

import { findCall } from '../../find-call.ts'

/** The parts of Vite's plugins that this one uses, in any version of Vite. */
interface VitePlugin {
  readonly name: string
  readonly apply: 'serve'
  readonly enforce: 'post'
  readonly transform: {
    readonly order: 'post'
    handler(
      this: { getCombinedSourcemap(): object; environment?: { name: string } },
      code: string,
      id: string,
    ): Promise<{ code: string; map: null } | undefined>
  }
}

/** Lets the console, and the error of a story, name the lines that the developer wrote. */
export const writtenPlaces: VitePlugin = {
  name: '@understudy/storybook-addon:written-places',
  apply: 'serve',
  enforce: 'post',
  transform: {
    order: 'post',
    async handler(code, id) {
      if (id.startsWith('\0') || /\/node_modules\/|[?&](?:raw|url)\b/.test(id) || !importsEngine(code)) return undefined
      const map = this.getCombinedSourcemap()
      // Storybook prints stories again, and its source maps name wrong lines.
      const source = await readFile(id.replace(/\?.*/, ''), 'utf8').catch(() => undefined)
      const changed = addWrittenPlaces(code, map, (line, column) =>
        source === undefined ? undefined : findCall(code, source, line, column),
      )
      return changed === undefined ? undefined : { code: changed, map: null }
    },
  },
}
