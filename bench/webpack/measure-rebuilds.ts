import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { measureInRounds, type RunningCell } from '../measure/rounds.ts'
import type { Cell, MeasuredRow, Row } from '../measure/row.ts'
import { msw3, understudy } from '../subjects/msw-like.ts'
import { listModules, writeApp } from '../vite/create-app.ts'
import { endApp } from '../vite/run-app.ts'

const plain = 'no plugin'
const tools = ['webpack', 'Rspack']

const rebuilds: Row = {
  id: 'webpack-rebuild',
  title: 'webpack and Rspack: rebuild of an app of 1,000 modules after an edit of one',
  unit: 'ms',
  variantsAre: 'the build tool',
  note: 'The time that the build tool itself reports. With MSW, the app imports it before its own modules, as its documentation says. Packages are in node_modules: build tools treat others as part of the app.',
  cells: tools.flatMap((variant) => [understudy, msw3, plain].map((subject) => ({ subject, variant }))),
  goals: tools.map((variant) => ({ subject: understudy, variant, atMost: 1.05, of: { subject: plain, variant } })),
  floor: plain,
  whyMissed:
    'The build tool goes through more modules and imports, and frees more memory. With Rspack, processor time is 1.2 times that of no plugin. Without the engine, but with the plugin’s hooks, it is 1.08 times; without the hooks, but with the engine, 1.14 times. Switching off single hooks saves nothing measurable. An engine in a separate file saves a third of the difference with Rspack, and nothing with webpack; a minified one saves little.',
}

/** Measures the time that the plugin adds to a rebuild. */
export async function* measureRebuilds(rounds: number, isWanted: (id: string) => boolean): AsyncGenerator<MeasuredRow> {
  if (!isWanted(rebuilds.id)) return
  // A rebuild takes little time, and single ones differ much.
  yield await measureInRounds(rebuilds, rounds * 3, startWatching)
}

async function startWatching({ subject, variant }: Cell): Promise<RunningCell> {
  const isMocked = subject === understudy
  const folder = await writeApp(`rebuilds-${variant}-${subject}`, {
    'package.json': JSON.stringify({ name: 'bench-rebuilds', private: true, type: 'module' }),
    'src/mocks/handlers.js': `import { http, HttpResponse } from '${subject === msw3 ? 'msw' : '@understudy/engine'}'
export const handlers = [http.get('/api/user', () => HttpResponse.json({ name: 'Ada' }))]
`,
    'src/main.js': subject === msw3 ? startsWorker : `import './app.js'\n`,
    ...listModules('src/app.js'),
  })
  if (isMocked) await installPlugin(folder)
  const child = fork(join(import.meta.dirname, 'watch-app.ts'), [`${variant}`, folder, `${isMocked}`])
  await once(child, 'message')
  let value = 0
  return {
    async measure() {
      // Watchers do not report a second change of a file within some time.
      await setTimeout(300)
      value += 1
      const measured = once(child, 'message')
      child.send(value)
      const [milliseconds] = (await measured) as [number]
      return milliseconds
    },
    stop: () => endApp(child),
  }
}

/** Copies the packages that an app installs. Build tools watch linked packages, and all folders up to the root, as parts of the app. */
async function installPlugin(folder: string): Promise<void> {
  for (const name of ['engine', 'panel', 'webpack-plugin']) {
    for (const part of ['package.json', 'dist']) {
      const from = join(import.meta.dirname, '../../packages', name, part)
      await cp(from, join(folder, 'node_modules/@understudy', name, part), { recursive: true })
    }
  }
}

const startsWorker = `const { setupWorker } = await import('msw/browser')
const { handlers } = await import('./mocks/handlers.js')
await setupWorker(...handlers).start({ quiet: true, onUnhandledFrame: 'bypass' })
await import('./app.js')
`
