/** The results of a flood's exchanges. A flood without faults has `answered` equal to `made`. */
export interface Tally {
  /** The number of exchanges that started. */
  made: number
  /** The number of exchanges that got their own answer. */
  answered: number
  /** The number of exchanges that failed before an answer started, or got no answer within {@link exchangeLimit}. */
  lost: number
  /** The number of exchanges that got the headers of their response, and then an error instead of the body. */
  broken: number
  /** The number of exchanges that got the answer of another exchange, or one that is not from a handler. */
  crossed: number
  /** The first faults. */
  reasons: string[]
}

export function createTally(): Tally {
  return { made: 0, answered: 0, lost: 0, broken: 0, crossed: 0, reasons: [] }
}

/** Returns the sum of several tallies. */
export function addTallies(tallies: readonly Tally[]): Tally {
  const sum = createTally()
  for (const { reasons, ...counts } of tallies) {
    for (const key of ['made', 'answered', 'lost', 'broken', 'crossed'] as const) sum[key] += counts[key]
    for (const reason of reasons) noteReason(sum, reason)
  }
  return sum
}

/** An exchange without an answer counts as lost after this many milliseconds. It only guards against hangs. */
const exchangeLimit = 90_000

/**
 * Makes one exchange and counts its outcome.
 *
 * @param identity the expected answer
 * @param exchange makes the request and resolves with the identity in its response
 */
export async function countExchange(tally: Tally, identity: string, exchange: () => Promise<string>): Promise<void> {
  tally.made += 1
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${exchangeLimit} ms`)), exchangeLimit)
  })
  try {
    const answer = await Promise.race([exchange(), limit])
    if (answer === identity) {
      tally.answered += 1
      return
    }
    tally.crossed += 1
    noteReason(tally, `${identity} got ${answer.slice(0, 100)}`)
  } catch (error) {
    tally[error instanceof BrokenBody ? 'broken' : 'lost'] += 1
    const { cause } = error as { cause?: unknown }
    noteReason(tally, `${identity} failed: ${String(error)}${cause instanceof Error ? ` (${cause.message})` : ''}`)
  } finally {
    clearTimeout(timer)
  }
}

/** The client got the headers of a response, and an error when it read the body. */
export class BrokenBody extends Error {}

/** Reads a body. An error there is not a lost request: the client knows that the answer is incomplete. */
export async function readBody<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading
  } catch (error) {
    throw new BrokenBody(String(error), { cause: error })
  }
}

function noteReason(tally: Tally, reason: string): void {
  if (tally.reasons.length < 10) tally.reasons.push(reason)
}

/**
 * Keeps a number of tasks running until there are no more.
 *
 * @param hasMore whether to begin the task with this number
 */
export async function runConcurrently(
  concurrent: number,
  hasMore: (id: number) => boolean,
  run: (id: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const runOne = async (): Promise<void> => {
    while (hasMore(next)) {
      const id = next
      next += 1
      await run(id)
    }
  }
  await Promise.all(Array.from({ length: concurrent }, runOne))
}

export const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
