import { describe, failure } from '@understudy/engine/internal/page'

/** For each parameter, a function that returns whether a value is valid, and the valid values as the continuation of "It takes". */
const checks: Readonly<Record<string, readonly [isValid: (value: unknown) => boolean, expected: string]>> = {
  onUnhandledRequest: [
    (value) => value === 'bypass' || value === 'warn' || value === 'error',
    '"bypass", "warn" or "error"',
  ],
  clearCaches: [
    (value) =>
      isFunction(value) || (typeof value === 'object' && value !== null && Object.values(value).every(isFunction)),
    'a function, or an object of functions',
  ],
  scenario: [
    (value) => [value].flat().every((name) => typeof name === 'string'),
    'the name of a scenario, or a list of names',
  ],
  isolate: [(value) => typeof value === 'boolean', 'true or false'],
}

const isFunction = (value: unknown): boolean => typeof value === 'function'

/**
 * Returns messages about invalid values and unknown names in `parameters.understudy`. Otherwise, a misspelled parameter would
 * have no effect without a reason.
 *
 * @param story the story's title and name
 */
export function checkParameters(story: string, understudy: unknown): string[] {
  if (understudy === undefined || understudy === null) return []
  const say = (reason: string, action: string): string =>
    failure('US0910', `read the parameters of the story "${story}"`, reason, action).message
  if (typeof understudy !== 'object')
    return [say(`parameters.understudy is ${describe(understudy)}`, 'It takes an object.')]
  return Object.entries(understudy).flatMap(([name, value]: [string, unknown]) => {
    const parameter = `parameters.understudy.${name}`
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (!check) {
      const names = Object.keys(checks).join(', ')
      return say(`there is no parameter ${parameter}`, `The parameters are: ${names}.`)
    }
    const [isValid, expected] = check
    // Storybook merges parameters of several levels, and a level may unset one.
    return value === undefined || value === null || isValid(value)
      ? []
      : say(`${parameter} is ${describe(value)}`, `It takes ${expected}.`)
  })
}
