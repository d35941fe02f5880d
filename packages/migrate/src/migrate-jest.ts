import type { ObjectExpression, ObjectProperty } from '@babel/types'
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

/** The engine's environment for jsdom, which also has what jsdom lacks: `TextEncoder`, streams, Fetch. */
const jsdomEnvironment = '@understudy/engine/jest-jsdom'

const advice =
  `Jest finds the engine by a condition. Add "${condition}" to testEnvironmentOptions.customExportConditions, ` +
  'or use the environment @understudy/engine/jest-jsdom or @understudy/engine/jest-node.'

/**
 * Makes Jest find the engine, in its configuration file or in `package.json`: by the engine's environment for jsdom, or
 * by its export condition. A project with conditions of its own has also added what jsdom lacks, as MSW 2 asks for.
 */
export function migrateJest(project: Project): void {
  const manifest = JSON.parse(project.read('package.json')) as Manifest
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies }
  const isCreateReactApp = dependencies['react-scripts'] !== undefined
  if (isCreateReactApp || isBefore28(dependencies['jest']))
    project.note('package.json', noteOfVersion(isCreateReactApp))
  // It refuses options that it does not know.
  if (isCreateReactApp) return
  const files = project.paths.filter(isConfiguration)
  for (const path of files) {
    if (path.endsWith('.json')) migrateJson(project, path, (json) => json as JestOptions)
    else migrateScript(project, path)
  }
  migrateJson(project, 'package.json', (json) => (json as Manifest).jest)
  const isConfigured = files.length > 0 || manifest.jest !== undefined
  const hasServer = project.scripts.some((path) => project.read(path).includes('setupServer('))
  if (dependencies['jest'] !== undefined && !isConfigured && hasServer) project.note('package.json', advice)
}

/**
 * Adds a note to the configuration of Jest in a project whose tests may import mocks of another project. Its manifest may
 * not name the engine, so the command cannot name the engine's environment there.
 */
export function noteJest(project: Project): void {
  const manifest = JSON.parse(project.read('package.json')) as Manifest
  const isUsed = manifest.jest ?? manifest.dependencies?.['jest'] ?? manifest.devDependencies?.['jest']
  const files = project.paths.filter(isConfiguration)
  if (files.length === 0 && isUsed !== undefined) files.push('package.json')
  for (const path of files) {
    if (isReady(project.read(path))) continue
    project.note(path, `If the tests import mocks of another package of the repository: ${advice}`)
  }
}

const isConfiguration = (path: string): boolean => /(?:^|\/)jest\.config\.(?:[cm]?[jt]s|json)$/.test(path)

/** Returns whether a range of versions begins before Jest 28. Other texts, such as `latest`, stand for a newer one. */
function isBefore28(range: string | undefined): boolean {
  const major = /^[\^~>=v\s]*(\d+)/.exec(range ?? '')?.[1]
  return major !== undefined && Number(major) < 28
}

function noteOfVersion(isCreateReactApp: boolean): string {
  const reason = 'The engine needs Jest 28 or later, because earlier versions do not read the "exports" of packages.'
  return isCreateReactApp
    ? `${reason} react-scripts contains Jest 27: run the tests with a newer Jest or with Vitest.`
    : `${reason} Update Jest.`
}

interface Manifest {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  jest?: JestOptions
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
  const projects = findProperty(configuration, 'projects')?.value
  // Projects get no environment and no options from the object around them.
  if (projects?.type === 'ArrayExpression')
    return projects.elements.every((each) => each?.type === 'ObjectExpression' && addCondition(out, each))
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
  const environment = environmentOf(configuration)
  if (isJsdom(environment)) {
    const { value } = findProperty(configuration, 'testEnvironment') as ObjectProperty
    const [start, end] = rangeOf(value)
    const quote = out.original[start] ?? "'"
    out.update(start, end, quote + jsdomEnvironment + quote)
    return true
  }
  const list = environment === undefined ? undefined : toConditions(environment)
  if (!list) return false
  const added = `customExportConditions: [${list.map((each) => `'${each}'`).join(', ')}]`
  if (known) addProperty(out, known, added)
  else addProperty(out, configuration, `testEnvironmentOptions: { ${added} }`)
  return true
}

/** Returns the name of the environment; `undefined` if the configuration does not show it. */
function environmentOf(configuration: ObjectExpression): string | undefined {
  const preset = findProperty(configuration, 'preset')?.value
  if (preset && !(preset.type === 'StringLiteral' && isPlainPreset(preset.value))) return undefined
  if (findProperty(configuration, 'projects')) return undefined
  const environment = findProperty(configuration, 'testEnvironment')?.value
  // The object that a spread copies may set an environment.
  if (!environment) return configuration.properties.every(({ type }) => type !== 'SpreadElement') ? 'node' : undefined
  return environment.type === 'StringLiteral' ? environment.value : undefined
}

/** The presets of ts-jest set no environment. */
const isPlainPreset = (preset: string): boolean => /^ts-jest(?:\/|$)/.test(preset)

const isJsdom = (environment: unknown): boolean => environment === 'jsdom' || environment === 'jest-environment-jsdom'

/** Returns the conditions for an environment; `undefined` if its default conditions are unknown. */
function toConditions(environment: string): string[] | undefined {
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
  const isChanged = Array.isArray(options.projects)
    ? options.projects.every((each) => typeof each === 'object' && changeOptions(each as JestOptions))
    : changeOptions(options)
  if (!isChanged) {
    project.note(path, advice)
    return
  }
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  project.write(path, `${JSON.stringify(json, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`)
}

/** @returns whether the options have a shape that this code can change */
function changeOptions(options: JestOptions): boolean {
  const { preset, projects, testEnvironment = 'node', testEnvironmentOptions = {} } = options
  const { customExportConditions: given } = testEnvironmentOptions
  const isPlain = !projects && (preset === undefined || (typeof preset === 'string' && isPlainPreset(preset)))
  const environment = isPlain && typeof testEnvironment === 'string' ? testEnvironment : undefined
  const conditions = Array.isArray(given)
    ? [condition, ...(given as unknown[]).filter((each) => each !== '')]
    : environment && toConditions(environment)
  if (!conditions) return false
  if (!given && isJsdom(environment)) options.testEnvironment = jsdomEnvironment
  else options.testEnvironmentOptions = { ...testEnvironmentOptions, customExportConditions: conditions }
  return true
}

const isReady = (text: string): boolean => text.includes(condition) || text.includes('@understudy/engine/jest-')
