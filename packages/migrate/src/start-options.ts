import type { CallExpression, File, Node, ObjectExpression } from '@babel/types'

import { toObject } from './add-to-configuration.ts'
import type { Project } from './project.ts'
import { nameOf, rangeOf } from './syntax.ts'

/** A file in which the options of `worker.start()` may be declared. */
export interface OptionsSource {
  readonly path: string
  readonly tree: File
}

/** Returns whether a call is `….start(…)`. */
export function isStart(node: CallExpression): boolean {
  return node.callee.type === 'MemberExpression' && nameOf(node.callee.property) === 'start'
}

/**
 * Reads the options of `worker.start()` that are options of the plugin. Adds a note for each other option.
 *
 * @param sources the file of the call, and files from which it may import the options
 */
export function readStartOptions(
  project: Project,
  sources: readonly OptionsSource[],
  options: Node | undefined,
): Map<string, string> {
  const result = new Map<string, string>()
  const [called] = sources
  if (!options || !called) return result
  for (const { path, tree } of sources) {
    const object = toObject(tree, options)
    if (!object) continue
    for (const property of object.properties) readStartOption(project, path, property, result)
    return result
  }
  const source = project.read(called.path).slice(...rangeOf(options))
  project.note(called.path, `Pass the options of worker.start() to the plugin: ${source}`, options.loc?.start.line)
  return result
}

function readStartOption(
  project: Project,
  path: string,
  property: ObjectExpression['properties'][number],
  result: Map<string, string>,
): void {
  const line = property.loc?.start.line
  const name = property.type === 'SpreadElement' ? undefined : nameOf(property.key)
  const value = property.type === 'ObjectProperty' ? property.value : undefined
  if (name === 'onUnhandledFrame' && value?.type === 'StringLiteral') {
    // The newer option of MSW 3 has the same strings.
    result.set('onUnhandledRequest', `'${value.value}'`)
  } else if (name === 'onUnhandledRequest') {
    if (value?.type === 'StringLiteral') result.set(name, `'${value.value}'`)
    else {
      const [start, end] = rangeOf(property)
      const source = project.read(path).slice(start, end).replaceAll('\n', '\n    ')
      project.note(path, `Export this function from the handlers module, as "onUnhandledRequest":\n    ${source}`, line)
    }
  } else if (name === 'quiet' && value?.type === 'BooleanLiteral') {
    if (value.value) result.set(name, 'true')
  } else if (name === 'serviceWorker') {
    const scope = findScope(value)
    if (!scope) return
    const source = project.read(path).slice(...rangeOf(scope))
    project.note(
      path,
      `worker.start() had the scope ${source}. Set the option "worker" of the plugin: { scope: ${source} }`,
      line,
    )
  } else if (name !== 'waitUntilReady') {
    const shown = name ?? project.read(path).slice(...rangeOf(property))
    project.note(path, `worker.start() had the option "${shown}". Check whether the plugin needs an equivalent.`, line)
  }
}

/** `{ options: { scope: '/app/' } }`. The plugin decides about the URL of the worker. */
function findScope(serviceWorker: Node | undefined): Node | undefined {
  return propertyOf(propertyOf(serviceWorker, 'options'), 'scope')
}

function propertyOf(object: Node | undefined, name: string): Node | undefined {
  if (object?.type !== 'ObjectExpression') return undefined
  for (const property of object.properties) {
    if (property.type === 'ObjectProperty' && nameOf(property.key) === name) return property.value
  }
  return undefined
}
