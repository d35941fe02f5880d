import type { Program, Step } from './expression-program.ts'

/**
 * Matches a text from its start, as `RegExp.exec` does with an expression that begins with `^`, in time that is
 * proportional to the length of the text: no step is tried twice at the same position, because it would fail again.
 *
 * @returns the whole match and the groups, or `null`
 */
export function matchLinearly({ steps, groups }: Program, text: string): (string | undefined)[] | null {
  const slots: number[] = Array.from({ length: groups * 2 }, () => -1)
  const end = new Run(steps, text).from(0, slots)
  if (end === -1) return null
  const found: (string | undefined)[] = [text.slice(0, end)]
  for (let slot = 2; slot < slots.length; slot += 2) {
    const [start, stop] = [slots[slot] as number, slots[slot + 1] as number]
    found.push(start === -1 || stop === -1 ? undefined : text.slice(start, stop))
  }
  return found
}

/** Runs steps over one text. Results of a position are kept for later starts. */
class Run {
  readonly #steps: readonly Step[]
  readonly #text: string
  /** The result of each step at each position: 0 unknown, 1 fails, 2 succeeds. */
  readonly #known: Uint8Array
  readonly #looks = new Map<Step, Run>()

  constructor(steps: readonly Step[], text: string) {
    this.#steps = steps
    this.#text = text
    this.#known = new Uint8Array(steps.length * (text.length + 1))
  }

  /** @returns the position where the match ends, or -1 */
  from(start: number, slots: number[] | undefined): number {
    const width = this.#text.length + 1
    const known = this.#known
    // Points to return to: step, position, and the length of `path` at that time. A negative step restores a slot.
    const returns = [0, start, 0]
    const path: number[] = []
    while (returns.length > 0) {
      const length = returns.pop() as number
      let position = returns.pop() as number
      let index = returns.pop() as number
      if (index < 0) {
        if (slots) slots[-1 - index] = position
        continue
      }
      // The steps after that point have failed.
      path.length = length
      for (;;) {
        const place = index * width + position
        const step = this.#steps[index] as Step
        if (known[place] === 2 || step.op === 'match') {
          for (const each of path) known[each] = 2
          return position
        }
        if (known[place] === 1) break
        known[place] = 1
        path.push(place)
        if (step.op === 'split') {
          returns.push(step.second, position, path.length)
          index = step.first
        } else if (step.op === 'jump') {
          index = step.to
        } else if (step.op === 'save') {
          if (slots) {
            returns.push(-1 - step.slot, slots[step.slot] as number, 0)
            slots[step.slot] = position
          }
          index += 1
        } else if (step.op === 'character') {
          const code = this.#text.charCodeAt(position)
          if (
            !(code < 128 ? step.set.ascii[code] : code >= 128 && step.set.others?.test(this.#text[position] as string))
          ) {
            break
          }
          index += 1
          position += 1
        } else if (step.op === 'assert' ? step.holds(this.#text, position) : this.#look(step, position)) {
          index += 1
        } else {
          break
        }
      }
    }
    return -1
  }

  #look(step: Extract<Step, { op: 'look' }>, position: number): boolean {
    let run = this.#looks.get(step)
    if (!run) this.#looks.set(step, (run = new Run(step.steps, this.#text)))
    return (run.from(position, undefined) !== -1) !== step.isNegative
  }
}
