import { readFileSync } from 'node:fs'

/**
 * Returns the processor time of this process and of its processes that have ended, in seconds. Processes that nothing waited
 * for, such as parts of a browser that was killed, do not count.
 *
 * @returns `undefined` where there is no `/proc`
 */
export function readCpuTime(): number | undefined {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
    // utime, stime, cutime and cstime, in ticks of 1/100 s.
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
  } catch {
    return undefined
  }
}
