import { listen } from '../../subjects/listening.ts'
import { lastPath, msw2, msw3, origin, understudy } from '../../subjects/msw-like.ts'
import { expectAnswer, type NodeRow } from '../node-row.ts'

const override = { id: 'override' }

/** The calls that a test makes at its start and after its end. */
export const useAndReset: NodeRow = {
  id: 'node-use-and-reset',
  title: 'Node: use(handler) and resetHandlers()',
  unit: 'ms',
  variantsAre: 'handlers',
  cells: [understudy, msw3, msw2].map((subject) => ({ subject, variant: 1000 })),
  goals: [{ subject: understudy, variant: 1000, atLeast: 100, than: { subject: msw3, variant: 1000 } }],
  async prepare(subject, count) {
    const { core, server } = await listen(subject, count)
    const resolver = () => core.HttpResponse.json(override)
    const handler = core.http.get(origin + lastPath, resolver)
    server.use(handler)
    await expectAnswer(await fetch(origin + lastPath), override)
    server.resetHandlers()
    return {
      batch: 100,
      run() {
        server.use(handler)
        server.resetHandlers()
      },
    }
  },
}

/** The calls of a thousand tests, with one request in each. */
export const testCycles: NodeRow = {
  id: 'node-test-cycles',
  title: 'Node: a test: use(handler), fetch, resetHandlers()',
  unit: 'ms',
  variantsAre: 'handlers',
  note: 'The figure is also the number of seconds for 1,000 tests.',
  cells: [understudy, msw3, msw2].flatMap((subject) => [10, 1000].map((variant) => ({ subject, variant }))),
  goals: [
    { subject: understudy, variant: 10, atLeast: 25, than: { subject: msw3, variant: 10 } },
    { subject: understudy, variant: 1000, atMost: 1.1, of: { subject: understudy, variant: 10 } },
  ],
  whyMissed:
    'Most of the time is the fetch and reading its response. The row of mocked fetches says what that consists of.',
  async prepare(subject, count) {
    const { core, server } = await listen(subject, count)
    const resolver = () => core.HttpResponse.json(override)
    const run = async (): Promise<void> => {
      server.use(core.http.get(origin + lastPath, resolver))
      await expectAnswer(await fetch(origin + lastPath), override)
      server.resetHandlers()
    }
    await run()
    return { run }
  },
}
