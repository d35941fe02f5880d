import { expect, it } from 'vitest'

import { compileExpression, UnsupportedExpression, type Program, type Step } from './expression-program.ts'
import { matchLinearly } from './match-linearly.ts'

/** A program that counts how many of its steps are read, including those of lookaheads. */
function counting({ steps, groups }: Program): { program: Program; count: () => number } {
  let count = 0
  const wrap = (list: readonly Step[]): readonly Step[] =>
    new Proxy(
      list.map((step) => (step.op === 'look' ? { ...step, steps: wrap(step.steps) } : step)),
      {
        get(target, name, receiver) {
          if (typeof name === 'string' && /^\d/.test(name)) count += 1
          return Reflect.get(target, name, receiver) as unknown
        },
      },
    )
  return { program: { steps: wrap(steps), groups }, count: () => count }
}

function stepsFor(source: string, text: string): number {
  const { program, count } = counting(compileExpression(new RegExp(source, 'i')))
  matchLinearly(program, text)
  return count()
}

it.each([
  String.raw`^(?:(?=.*b)a)*c$`,
  String.raw`^(?:(?!.*b)a)*c$`,
  String.raw`^(?:(?=(?:a+)+b)a)*c$`,
  String.raw`^(?:(?=(?:(?!a+b).)*c)a)*d$`,
  String.raw`^.*(?=.*(?=.*b)).*c$`,
  String.raw`^(?:(?!x)[^/]|a)*(?=.*b)(?:a+)+c$`,
])('%s takes steps in proportion to the length of the text', (source) => {
  for (const length of [200, 400, 800]) {
    const [once, twice] = [stepsFor(source, 'a'.repeat(length)), stepsFor(source, 'a'.repeat(length * 2))]
    expect(once).toBeGreaterThan(length)
    expect(twice).toBeLessThan(once * 2.1)
  }
})

it.each(['^.*(?=(?:a*)*b)aab$', '^.*(?!(?:a*)*c)aab$', '^.*(?=(?:a|b?)+b)aab$', '^(?:(?=(?:(?=a)|b)*)a)*$'])(
  '%s is refused, because a lookahead repeats an expression that can match an empty text',
  (source) => {
    expect(() => compileExpression(new RegExp(source))).toThrow(UnsupportedExpression)
  },
)
