import type { Server } from 'node:http'

import { launchChromium } from '../browser/measure-browser.ts'
import { measureInRounds, type RunningCell } from '../measure/rounds.ts'
import type { MeasuredRow, Row } from '../measure/row.ts'
import { understudy } from '../subjects/msw-like.ts'
import { buildStorybook, type AddonSubject } from './build-storybook.ts'
import { serveFolder } from './serve-folder.ts'

const mswAddon = 'msw-storybook-addon 3'
const withoutRequests = 'no addon, and no request'

/** The addons, by subject. */
const addons: ReadonlyMap<string, AddonSubject> = new Map([
  [understudy, { name: '@understudy/storybook-addon', specifier: '@understudy/engine', parameter: 'handlers' }],
  [mswAddon, { name: 'msw-storybook-addon', specifier: 'msw', parameter: 'msw' }],
])

const switches: Row = {
  id: 'storybook-switch',
  title: 'Storybook: from the switch to another story until the story shows its mocked response',
  unit: 'ms',
  note: 'A static build, and stories that request when they render. A round is the mean of 20 switches between two stories, each with its own handlers and 50 of the project.',
  cells: [...addons.keys(), withoutRequests].map((subject) => ({ subject })),
  goals: [{ subject: understudy, atLeast: 1.5, than: { subject: mswAddon } }],
  floor: withoutRequests,
  whyMissed:
    'The floor is Storybook’s own part: it unmounts the story, runs loaders and renders the next story. More than half of the rest is one request to the service worker and back, which both addons need. It takes twice as long as on an idle page, because the browser renders at the same time. The scripts of the addon take less than 2 ms.',
}

/** Measures the cost of a story's own handlers when stories are switched. */
export async function* measureSwitches(rounds: number, isWanted: (id: string) => boolean): AsyncGenerator<MeasuredRow> {
  if (!isWanted(switches.id)) return
  const browser = await launchChromium()
  try {
    yield await measureInRounds(switches, rounds, ({ subject }) => start(subject))
  } finally {
    await browser.close()
  }

  async function start(subject: string): Promise<RunningCell> {
    const { server, origin } = await serveFolder(await buildStorybook(addons.get(subject)))
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${origin}/iframe.html?id=switch--one&viewMode=story`)
    await page.getByText('mocked one').waitFor()
    return {
      async measure() {
        await page.bringToFront()
        return page.evaluate(switchStories, 20)
      },
      async stop() {
        await context.close()
        await close(server)
      },
    }
  }
}

interface Preview {
  readonly __STORYBOOK_ADDONS_CHANNEL__: { emit(name: string, data: object): void }
}

/** Runs in the page: switches between two stories, and returns the duration of one switch in milliseconds. */
async function switchStories(count: number): Promise<number> {
  const { __STORYBOOK_ADDONS_CHANNEL__: channel } = globalThis as unknown as Preview
  let total = 0
  for (let done = 0; done < count; done += 1) {
    const name = done % 2 === 0 ? 'two' : 'one'
    const begin = performance.now()
    const shown = new Promise<void>((resolve) => {
      addEventListener('shown', (event) => (event as CustomEvent<string>).detail === name && resolve(), { once: true })
    })
    channel.emit('setCurrentStory', { storyId: `switch--${name}`, viewMode: 'story' })
    await shown
    total += performance.now() - begin
  }
  return total / count
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })
}
