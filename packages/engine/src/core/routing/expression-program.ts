/** One step of a program that {@link compileExpression} creates from a regular expression. */
export type Step =
  | { readonly op: 'character'; readonly set: CharacterSet }
  /** Continues at the first step. If that fails, continues at the second one. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  /** Stores the position in a slot: an even slot is the start of a group, the odd slot after it is the end. */
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'assert'; readonly holds: (text: string, position: number) => boolean }
  /** Succeeds if `steps` match from here (or do not, if negated), without consuming characters. */
  | { readonly op: 'look'; readonly steps: readonly Step[]; readonly isNegative: boolean }
  | { readonly op: 'match' }

/** The characters that one step accepts: a table for ASCII, and an expression for the others. */
export interface CharacterSet {
  readonly ascii: Uint8Array
  readonly others: RegExp | null
}

/** A program, and the number of groups that it captures, including the whole match. */
export interface Program {
  readonly steps: readonly Step[]
  readonly groups: number
}

/** Thrown if an expression cannot be compiled. Its message is the reason of an error. */
export class UnsupportedExpression extends Error {}

type Emit = (steps: Step[]) => void

const maximumSteps = 2_000
const atomSyntax = /\[(?:\\.|[^\]\\])*\]|\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|.)|[^]/giy
const quantifierSyntax = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y

/**
 * Compiles the source of a regular expression (flags `i` or none) into steps that `matchLinearly` runs.
 *
 * @throws {UnsupportedExpression} for a back-reference or a lookbehind, which no linear algorithm matches, and for an
 * expression whose counts make the program too large
 */
export function compileExpression({ source, flags }: RegExp): Program {
  let index = 0
  let groups = 1

  const readAlternatives = (): Emit => {
    const alternatives = [readSequence()]
    while (source[index] === '|') {
      index += 1
      alternatives.push(readSequence())
    }
    return alternatives.reduceRight((rest, alternative) => (steps) => {
      const split = push(steps, { op: 'split', first: steps.length + 1, second: 0 })
      alternative(steps)
      const jump = push(steps, { op: 'jump', to: 0 })
      split.second = steps.length
      rest(steps)
      jump.to = steps.length
    })
  }

  const readSequence = (): Emit => {
    const parts: Emit[] = []
    while (index < source.length && source[index] !== '|' && source[index] !== ')') parts.push(readTerm())
    return (steps) => {
      for (const part of parts) part(steps)
    }
  }

  const readTerm = (): Emit => {
    const atom = source[index] === '(' ? readGroup() : readAtom()
    quantifierSyntax.lastIndex = index
    const found = quantifierSyntax.exec(source)
    if (!found) return atom
    index = quantifierSyntax.lastIndex
    const [text, count, comma, most] = found
    const minimum = count === undefined ? (text.startsWith('+') ? 1 : 0) : Number(count)
    const maximum =
      count === undefined ? (text.startsWith('?') ? 1 : Infinity) : comma ? Number(most || Infinity) : minimum
    return repeat(atom, minimum, maximum, text.length > 1 && text.endsWith('?'))
  }

  const readGroup = (): Emit => {
    const opening = /\((?:\?(?:<?[=!]|:|<[^>]*>))?/y
    opening.lastIndex = index
    const kind = (opening.exec(source) as RegExpExecArray)[0]
    if (/^\(\?<[=!]/.test(kind)) throw new UnsupportedExpression('it has a lookbehind')
    index = opening.lastIndex
    if (kind === '(' && source[index] === '?') throw new UnsupportedExpression('it has a group of an unknown kind')
    const slot = kind === '(' || kind.startsWith('(?<') ? groups++ * 2 : undefined
    const inner = readAlternatives()
    index += 1
    if (kind === '(?=' || kind === '(?!') {
      return (steps) => {
        const inside: Step[] = []
        inner(inside)
        push(inside, { op: 'match' })
        // `matchLinearly` remembers failed steps for later starts. That is wrong for a step that leads back to itself.
        if (hasEmptyLoop(inside)) throw new UnsupportedExpression('a lookahead in it repeats what may match nothing')
        push(steps, { op: 'look', steps: inside, isNegative: kind === '(?!' })
      }
    }
    if (slot === undefined) return inner
    return (steps) => {
      push(steps, { op: 'save', slot })
      inner(steps)
      push(steps, { op: 'save', slot: slot + 1 })
    }
  }

  const readAtom = (): Emit => {
    atomSyntax.lastIndex = index
    const [text] = atomSyntax.exec(source) as RegExpExecArray
    index = atomSyntax.lastIndex
    if (/^\\[1-9k]/.test(text)) throw new UnsupportedExpression('it has a back-reference')
    const step: Step = assertions[text]
      ? { op: 'assert', holds: assertions[text] }
      : { op: 'character', set: characterSet(text, flags) }
    return (steps) => {
      push(steps, step)
    }
  }

  const whole = readAlternatives()
  const steps: Step[] = []
  whole(steps)
  push(steps, { op: 'match' })
  return { steps, groups }
}

/** Returns whether steps lead back to one of them without consuming text. */
function hasEmptyLoop(steps: readonly Step[]): boolean {
  const states = new Map<number, 'open' | 'done'>()
  const leadsBack = (index: number): boolean => {
    const state = states.get(index)
    if (state) return state === 'open'
    states.set(index, 'open')
    const isBack = nextWithoutText(steps[index] as Step, index).some(leadsBack)
    states.set(index, 'done')
    return isBack
  }
  return steps.some((_step, index) => leadsBack(index))
}

function nextWithoutText(step: Step, index: number): number[] {
  if (step.op === 'split') return [step.first, step.second]
  if (step.op === 'jump') return [step.to]
  return step.op === 'character' || step.op === 'match' ? [] : [index + 1]
}

/** A counted repetition becomes that many copies of the step. */
function repeat(atom: Emit, minimum: number, maximum: number, isLazy: boolean): Emit {
  return (steps) => {
    for (let count = 0; count < minimum; count += 1) atom(steps)
    const open: Extract<Step, { op: 'split' }>[] = []
    const again = (): void => {
      open.push(push(steps, { op: 'split', first: steps.length + 1, second: steps.length + 1 }))
      atom(steps)
    }
    if (maximum === Infinity) {
      const start = steps.length
      again()
      push(steps, { op: 'jump', to: start })
    } else {
      for (let count = minimum; count < maximum; count += 1) again()
    }
    for (const split of open) split[isLazy ? 'first' : 'second'] = steps.length
  }
}

function push<Each extends Step>(steps: Step[], step: Each): Each {
  if (steps.length >= maximumSteps) throw new UnsupportedExpression('its repetitions make it too large')
  steps.push(step)
  return step
}

const isWord = (text: string, position: number): boolean => /\w/.test(text[position] ?? '')
const isBoundary = (text: string, position: number): boolean => isWord(text, position - 1) !== isWord(text, position)

const assertions: Record<string, ((text: string, position: number) => boolean) | undefined> = {
  '^': (_text, position) => position === 0,
  $: (text, position) => position === text.length,
  '\\b': isBoundary,
  '\\B': (text, position) => !isBoundary(text, position),
}

const sets = new Map<string, CharacterSet>()

/**
 * Returns the characters that a class, an escape, a dot or a character accepts. Tests each character with a regular
 * expression of the platform.
 */
function characterSet(source: string, flags: string): CharacterSet {
  const key = flags + source
  let set = sets.get(key)
  if (!set) {
    // Outside a class, these characters are literals if they do not start special syntax.
    const others = new RegExp(`^(?:${/^[{}\]]$/.test(source) ? `\\${source}` : source})$`, flags)
    set = {
      ascii: Uint8Array.from({ length: 128 }, (_, code) => Number(others.test(String.fromCharCode(code)))),
      others,
    }
    sets.set(key, set)
  }
  return set
}
