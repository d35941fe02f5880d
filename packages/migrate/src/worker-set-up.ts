import type { CallExpression, File, Node } from '@babel/types'

import { toHandlersModule } from './handlers-module.ts'
import type { Project } from './project.ts'
import { isStart } from './start-options.ts'
import { nameOf, parseScripts, walk } from './syntax.ts'

/** A module that calls `setupWorker`, as MSW's guide writes it in `src/mocks/browser.ts`. */
export interface WorkerModule {
  readonly path: string
  readonly text: string
  readonly tree: File
  readonly call: CallExpression
  /** The name of the worker, as in `export const worker = setupWorker(…)`. */
  readonly worker: string | undefined
  /** Whether it contains only imports, re-exports, the worker, and calls of `worker.start()` with their options. */
  readonly isPlain: boolean
}

/** Finds the modules of the project that call `setupWorker`, except tests and stories. */
export function findWorkerModules(project: Project): WorkerModule[] {
  return project.scripts.flatMap((path) => {
    const text = project.read(path)
    if (!text.includes('setupWorker(') || /\.(?:test|spec|stories)\./.test(path)) return []
    const [tree] = tryToParse(path, text)
    if (!tree) return []
    let found: WorkerModule | undefined
    walk(tree.program, (node, [parent]) => {
      if (node.type !== 'CallExpression' || nameOf(node.callee) !== 'setupWorker') return
      const worker = parent?.type === 'VariableDeclarator' ? nameOf(parent.id) : undefined
      const options = findStartCalls(tree, worker).map((call) => nameOf(call.arguments[0]))
      const isPlain = tree.program.body.every((statement) => isSetUp(statement, worker, options))
      found = { path, text, tree, call: node, worker, isPlain }
    })
    return found ? [found] : []
  })
}

/** Finds the calls of `worker.start()` in the module of the worker. */
export function findStartCalls(tree: File, worker: string | undefined): CallExpression[] {
  const calls: CallExpression[] = []
  walk(tree.program, (node) => {
    if (worker !== undefined && node.type === 'CallExpression' && isStartOf(node, worker)) calls.push(node)
  })
  return calls
}

/** `worker.start(…)`, or `module.worker.start(…)` */
export function isStartOf(call: CallExpression, worker: string): boolean {
  if (!isStart(call) || call.callee.type !== 'MemberExpression') return false
  const { object } = call.callee
  return nameOf(object.type === 'MemberExpression' ? object.property : object) === worker
}

/** @param options the names of the options of `worker.start()` */
function isSetUp(statement: Node, worker: string | undefined, options: readonly (string | undefined)[]): boolean {
  if (statement.type === 'ImportDeclaration' || statement.type === 'ExportAllDeclaration') return true
  if (statement.type === 'ExportDefaultDeclaration') {
    const { declaration } = statement
    return isCall(declaration) || (worker !== undefined && nameOf(declaration) === worker)
  }
  if (statement.type === 'ExpressionStatement') {
    let { expression } = statement
    while (expression.type === 'AwaitExpression' || expression.type === 'UnaryExpression')
      expression = expression.argument
    if (worker === undefined || expression.type !== 'CallExpression' || !isStartOf(expression, worker)) return false
    return expression.arguments.every((given) => given.type === 'Identifier' || isWritten(given))
  }
  const isOfModule = statement.type === 'VariableDeclaration'
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  if (!declaration) return true
  return (
    declaration.type === 'VariableDeclaration' &&
    declaration.declarations.every(
      ({ id, init }) =>
        (isOfModule && isWritten(init) && options.includes(nameOf(id) ?? '')) || (init != null && isCall(init)),
    )
  )
}

/** Returns whether options are an object whose properties the command reads. Other options would be lost with the file. */
function isWritten(options: Node | null | undefined): boolean {
  return options?.type === 'TSAsExpression' || options?.type === 'TSSatisfiesExpression'
    ? isWritten(options.expression)
    : options?.type === 'ObjectExpression'
}

/** `setupWorker(…)` */
function isCall(node: Node): boolean {
  return node.type === 'CallExpression' && nameOf(node.callee) === 'setupWorker'
}

/** Returns whether the plugins find handlers in this file without an option. */
function isDefaultHandlers(path: string): boolean {
  return /^(?:src\/)?mocks\/handlers(?:\/index)?\.[cm]?[jt]sx?$/.test(path)
}

/**
 * Makes the handlers of `setupWorker` available to the plugin.
 *
 * @returns the plugin's option `handlers`, if it is needed
 */
export function bringHandlers(project: Project, { path, text, tree, call }: WorkerModule): string | undefined {
  const imported = findImportedList(project, path, tree, call)
  if (imported) return isDefaultHandlers(imported) ? undefined : imported
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const extension = path.slice(path.lastIndexOf('.'))
  const names = ['handlers', 'browser-handlers', 'all-handlers'].map((name) => `${folder}${name}${extension}`)
  const target = names.find((name) => !project.has(name)) ?? names[0] ?? path
  project.write(target, toHandlersModule(text, tree, call))
  project.note(target, `This file contains the handlers that ${path} passed to setupWorker().`)
  return isDefaultHandlers(target) ? undefined : target
}

/** Finds the module whose export `handlers` is the only argument of `setupWorker`, as in `setupWorker(...handlers)`. */
function findImportedList(project: Project, path: string, tree: File, call: CallExpression): string | undefined {
  const [only, ...others] = call.arguments
  if (only?.type !== 'SpreadElement' || others.length > 0) return undefined
  return findHandlersModule(project, path, tree, only.argument)
}

/** Finds the module that exports the list with this name as `handlers` or by default. */
function findHandlersModule(project: Project, path: string, tree: File, list: Node): string | undefined {
  const local = nameOf(list)
  if (local === undefined) return undefined
  for (const node of tree.program.body) {
    if (node.type !== 'ImportDeclaration') continue
    const specifier = node.specifiers.find((each) => each.local.name === local)
    if (!specifier) continue
    const imported = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : 'default'
    if (imported !== 'handlers' && (imported !== 'default' || specifier.type === 'ImportNamespaceSpecifier'))
      return undefined
    return resolveModule(project, path, node.source.value)
  }
  return undefined
}

/**
 * Names the module of the handlers that MSW's addon was given in the option `handlers`, unless the
 * addon finds it without the option.
 *
 * @returns whether the argument is the list that a module of the project exports
 */
export function takeHandlers(
  project: Project,
  path: string,
  tree: File,
  given: Node,
  options: Map<string, string>,
): boolean {
  const [only, ...others] = given.type === 'ArrayExpression' ? given.elements : [given]
  const list = only?.type === 'SpreadElement' ? only.argument : only
  const module = list && others.length === 0 ? findHandlersModule(project, path, tree, list) : undefined
  if (module === undefined) return false
  if (!isDefaultHandlers(module)) options.set('handlers', `'${module}'`)
  return true
}

const extensions = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mts',
  '.mjs',
  '.cts',
  '.cjs',
  '/index.ts',
  '/index.tsx',
  '/index.js',
]

/** Resolves a specifier that is relative or uses a common alias (`@/`, `~/`, `src/`). */
export function resolveModule(project: Project, from: string, specifier: string): string | undefined {
  const folder = from.split('/').slice(0, -1)
  const alias = /^(?:[@~#$]lib?\/|[@~#]\/|\/?src\/|\/)/.exec(specifier)?.[0]
  const starts = specifier.startsWith('.')
    ? [join(folder, specifier)]
    : alias
      ? [`src/${specifier.slice(alias.length)}`, specifier.slice(alias.length)]
      : []
  for (const start of starts) {
    for (const candidate of [start, start.replace(/\.[cm]?jsx?$/, '')]) {
      const found = extensions.map((extension) => candidate + extension).find((path) => project.has(path))
      if (found) return found
    }
  }
  return undefined
}

function join(folder: readonly string[], specifier: string): string {
  const path = [...folder]
  for (const part of specifier.split('/')) {
    if (part === '..') path.pop()
    else if (part !== '.') path.push(part)
  }
  return path.join('/')
}

function tryToParse(path: string, text: string): File[] {
  try {
    return parseScripts(path, text)
  } catch {
    return []
  }
}
