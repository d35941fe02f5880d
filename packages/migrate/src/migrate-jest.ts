import type { ObjectExpression } from '@babel/types'
import MagicString from 'magic-string'

import { addProperty, findConfiguration, findProperty } from './add-to-configuration.ts'
import type { Project } from './project.ts'
import { parseOrNote } from './rewrite-imports.ts'
import { rangeOf } from './syntax.ts'

/**
 * The export condition with which Jest finds the engine's scripts. Without it, Jest loads ES modules as scripts and
 * fails.
 */
const condition = '@understudy/jest'

/** The conditions that an environment has by default, which a list of conditions replaces. */
const defaults: Readonly<Record<string, readonly string[]>> = {
  node: ['node', 'node-addons'],
  jsdom: ['browser'],
  'jest-fixed-jsdom': [],
}

const advice =
  `Jest finds the engine by a condition. Add "${condition}" to testEnvironmentOptions.customExportConditions, ` +
  'or use the environment @understudy/engine/jest-jsdom or @understudy/engine/jest-node.'

/** Adds the export condition of the engine to Jest's configuration, in a file or in `package.json`. */
export function migrateJest(project: Project): void {
  for (const path of project.scripts.filter((each) => /(?:^|\/)jest\.config\.[cm]?[jt]s$/.test(each)))
    migrateScript(project, path)
  for (const path of project.paths.filter((each) => /(?:^|\/)jest\.config\.json$/.test(each)))
    migrateJson(project, path, (json) => json as JestOptions)
  migrateJson(project, 'package.json', (json) => (json as { jest?: JestOptions }).jest)
}

interface JestOptions {
  preset?: unknown
  projects?: unknown
  testEnvironment?: unknown
  testEnvironmentOptions?: { customExportConditions?: unknown }
}

function migrateScript(project: Project, path: string): void {
  const text = project.read(path)
  if (isReady(text)) return
  const [tree] = parseOrNote(project, path, text) ?? []
  if (!tree) return
  const configuration = findConfiguration(tree)
  const out = new MagicString(text)
  if (configuration && addCondition(out, configuration)) project.write(path, out.toString())
  else project.note(path, advice)
}

/** @returns whether the object has a shape that this code can change */
function addCondition(out: MagicString, configuration: ObjectExpression): boolean {
  const options = findProperty(configuration, 'testEnvironmentOptions')
  if (options && options.value.type !== 'ObjectExpression') return false
  const known = options?.value.type === 'ObjectExpression' ? options.value : undefined
  const conditions = known && findProperty(known, 'customExportConditions')
  if (conditions) {
    if (conditions.value.type !== 'ArrayExpression') return false
    const kept = conditions.value.elements
      .filter((each) => each !== null && !(each.type === 'StringLiteral' && each.value === ''))
      .map((each) => (each ? out.original.slice(...rangeOf(each)) : ''))
    out.update(...rangeOf(conditions.value), `[${[`'${condition}'`, ...kept].join(', ')}]`)
    return true
  }
  const list = conditionsOf(configuration)
  if (!list) return false
  const added = `customExportConditions: [${list.map((each) => `'${each}'`).join(', ')}]`
  if (known) addProperty(out, known, added)
  else addProperty(out, configuration, `testEnvironmentOptions: { ${added} }`)
  return true
}

function conditionsOf(configuration: ObjectExpression): string[] | undefined {
  if (findProperty(configuration, 'preset') ?? findProperty(configuration, 'projects')) return undefined
  const environment = findProperty(configuration, 'testEnvironment')?.value
  if (environment && environment.type !== 'StringLiteral') return undefined
  return toConditions(environment?.value)
}

/** Returns the conditions for an environment; `undefined` if its default conditions are unknown. */
function toConditions(environment = 'node'): string[] | undefined {
  const others = Object.hasOwn(defaults, environment)
    ? defaults[environment]
    : defaults[environment.replace(/^jest-environment-/, '')]
  return others && [condition, ...others]
}

function migrateJson(project: Project, path: string, read: (json: unknown) => JestOptions | undefined): void {
  const text = project.read(path)
  const json: unknown = JSON.parse(text)
  const options = read(json)
  if (!options || isReady(JSON.stringify(options))) return
  const { preset, projects, testEnvironment, testEnvironmentOptions = {} } = options
  const { customExportConditions: given } = testEnvironmentOptions
  const isPlain = !preset && !projects && (testEnvironment === undefined || typeof testEnvironment === 'string')
  const conditions = Array.isArray(given)
    ? [condition, ...(given as unknown[]).filter((each) => each !== '')]
    : isPlain && toConditions(testEnvironment)
  if (!conditions) {
    project.note(path, advice)
    return
  }
  options.testEnvironmentOptions = { ...testEnvironmentOptions, customExportConditions: conditions }
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  project.write(path, `${JSON.stringify(json, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`)
}

const isReady = (text: string): boolean => text.includes(condition) || text.includes('@understudy/engine/jest-')
