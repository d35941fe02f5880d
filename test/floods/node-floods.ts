import { setupServer } from '@understudy/engine/node'

import { loads, type Parameters } from './loads.ts'
import type { FloodServer } from './serve-floods.ts'
import type { Tally } from './tally.ts'

/** Runs a load in this process, with handlers for the origin of a real server, which counts what escapes. */
export async function floodNode(
  name: keyof typeof loads,
  { origin }: FloodServer,
  parameters: Parameters,
): Promise<Tally> {
  const place = { origin, name: 'node' }
  const server = setupServer(...loads[name].createHandlers(place, parameters))
  server.listen({ onUnhandledRequest: 'bypass' })
  try {
    return await loads[name].run(place, parameters)
  } finally {
    server.close()
  }
}

/** The loads that Node runs: the parameters of a test, and those of `npm run soak`. */
export const nodeFloods: readonly { name: string; load: keyof typeof loads; short: Parameters; long: Parameters }[] = [
  {
    name: 'requests with an identity',
    load: 'requests',
    short: { count: 2000, concurrent: 200 },
    long: { count: 100_000, concurrent: 200 },
  },
  { name: 'large bodies', load: 'bodies', short: { megabytes: 10 }, long: { megabytes: 100 } },
  {
    name: 'WebSocket messages',
    load: 'sockets',
    short: { sockets: 5, messages: 400, perSecond: 1000 },
    long: { sockets: 10, messages: 6000, perSecond: 1000 },
  },
  {
    name: 'streams at the same time',
    load: 'streams',
    short: { streams: 100, parts: 10 },
    long: { streams: 500, parts: 100 },
  },
  {
    name: 'ten thousand handlers',
    load: 'handlers',
    short: { handlers: 10_000, count: 500, concurrent: 50 },
    long: { handlers: 10_000, count: 20_000, concurrent: 50 },
  },
]
