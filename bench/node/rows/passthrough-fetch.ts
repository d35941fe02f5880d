import { listen } from '../../subjects/listening.ts'
import { answer, load, mswLikes, msw2, msw3, understudy } from '../../subjects/msw-like.ts'
import type { Nock } from '../../subjects/peers.ts'
import { expectAnswer, readJson, type NodeRow } from '../node-row.ts'

const native = 'no mocking'
const nock = 'nock'

/** `fetch` of what no handler answers, from a server of this machine. */
export const passthroughFetch: NodeRow = {
  id: 'node-passthrough-fetch',
  title: 'Node: fetch that no handler matches, with handlers for other paths of its origin',
  unit: '/s',
  variantsAre: 'handlers',
  note: 'A server in another process answers. The client sends one request after the other and reads the JSON.',
  cells: [understudy, msw3, msw2, nock, native].map((subject) => ({ subject, variant: 1000 })),
  goals: [{ subject: understudy, variant: 1000, atLeast: 0.9, than: { subject: native, variant: 1000 } }],
  whyMissed:
    'Node does not follow redirects of these requests: a handler may match the target of a redirect, so Understudy follows them itself. That takes the rest of the time.',
  async prepare(subject, count) {
    const base = process.env['UNDERSTUDY_BENCH_SERVER'] ?? ''
    if (mswLikes.has(subject)) await listen(subject, count, base)
    else if (subject === nock) {
      const { default: mock } = await load<{ default: Nock }>('nock')
      const scope = mock(base, { allowUnmocked: true }).persist()
      for (let place = 0; place < count; place += 1) scope.get(`/items-${place}`).reply(200, {})
    }
    await expectAnswer(await fetch(`${base}/real`), answer)
    return { run: async () => readJson(await fetch(`${base}/real`)) }
  },
}
