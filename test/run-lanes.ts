import { cpus } from 'node:os'

interface LaneOptions {
  /** How many jobs run at a time on a busy machine. */
  readonly fewest: number
  /** How many jobs run at a time at most. */
  readonly most: number
  /** Returns the busy share of the processor since the last call: 0 to 1. */
  readonly readLoad: () => number
  /** The milliseconds between two looks at the load. */
  readonly interval: number
}

/** Below this load, one more job starts. */
const idle = 0.75
/** Above this load, no job follows one that ran beyond the fewest. */
const full = 0.9

/**
 * Runs all jobs, the fewest at a time, and more while the processor is partly idle.
 *
 * @param takeJob returns the next job; `undefined` if there is none
 */
export async function runInLanes(
  takeJob: () => (() => Promise<void>) | undefined,
  { fewest, most, readLoad, interval }: LaneOptions,
): Promise<void> {
  let running = 0
  let load = 1
  const runLane = async (): Promise<void> => {
    running += 1
    for (let job = takeJob(); job !== undefined; job = takeJob()) {
      await job()
      if (running > fewest && load > full) break
    }
    running -= 1
  }
  const lanes = Array.from({ length: fewest }, runLane)
  const timer = setInterval(() => {
    load = readLoad()
    if (load < idle && running < most) lanes.push(runLane())
  }, interval)
  try {
    // The loop also reaches the lanes that are added meanwhile.
    for (const lane of lanes) await lane
  } finally {
    clearInterval(timer)
  }
}

/** Returns a function for {@link LaneOptions.readLoad}, of all cores of this machine. */
export function createLoadReader(): () => number {
  let before = sumTimes()
  return () => {
    const now = sumTimes()
    const all = now.all - before.all
    const busy = all - (now.idle - before.idle)
    before = now
    return all === 0 ? 1 : busy / all
  }
}

function sumTimes(): { idle: number; all: number } {
  const times = cpus().map((core) => core.times)
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  return {
    idle: sum(times.map((each) => each.idle)),
    all: sum(times.map(({ user, nice, sys, idle: unused, irq }) => user + nice + sys + unused + irq)),
  }
}
