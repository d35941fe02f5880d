import type { File, Node, ObjectExpression } from '@babel/types'
import MagicString from 'magic-string'

import { addProperty, findConfiguration, findProperty } from './add-to-configuration.ts'
import { migrateAnnotations } from './migrate-annotations.ts'
import type { Project } from './project.ts'
import { removeStatement } from './remove-statement.ts'
import { removeUnusedImports } from './remove-unused-imports.ts'
import { parseOrNote } from './rewrite-imports.ts'
import { readStartOptions } from './start-options.ts'
import { takeSetUp } from './storybook-set-up.ts'
import { nameOf, rangeOf, walk } from './syntax.ts'
import { takeHandlers } from './worker-set-up.ts'

const older = 'msw-storybook-addon'
/** The modules that export the functions of MSW's addon. Version 3 has one for CSF 3. */
const olderModules = [older, `${older}/csf3`]
const addon = '@understudy/storybook-addon'

/** Replaces msw-storybook-addon in the configuration of Storybook. */
export function migrateStorybook(project: Project): void {
  const options = new Map<string, string>()
  renameEntries(project)
  migrateAnnotations(project, options)
  for (const path of project.scripts) {
    if (project.read(path).includes(older) && !isMain(path)) cleanPreview(project, path, options)
  }
  for (const path of project.scripts.filter(isMain)) migrateMain(project, path, options)
}

/** Renames the entries of version 3 that have a counterpart: its types, and its annotations for `setProjectAnnotations()`. */
function renameEntries(project: Project): void {
  for (const path of [...project.scripts, ...project.paths.filter((each) => each.endsWith('.json'))]) {
    const isConfiguration = /(?:^|\/)[jt]sconfig(?:\.[\w.-]+)?\.json$/.test(path)
    if (path.endsWith('.json') && !isConfiguration) continue
    const text = project.read(path)
    if (!text.includes(`${older}/`)) continue
    const types = isConfiguration ? /(")msw-storybook-addon\/(?:types|csf3)(?=")/g : typesOfScripts
    project.write(
      path,
      text.replace(types, `$1${addon}/types`).replace(annotations, `import * as $1 from $2${addon}/preview`),
    )
  }
}

/** `/// <reference types="…" />` and `import '…'` */
const typesOfScripts = /(\btypes=["']|\bimport\s*["'])msw-storybook-addon\/(?:types|csf3)(?=["'])/g
const annotations = /\bimport\s+(?:\*\s*as\s+)?(\w+)\s+from\s*(["'])msw-storybook-addon\/preview(?=["'])/g

function isMain(path: string): boolean {
  return /(?:^|\/)\.storybook\/main\.[cm]?[jt]s$/.test(path)
}

/** Removes `initialize()`, `mswLoader` and `mswDecorator`. */
function cleanPreview(project: Project, path: string, options: Map<string, string>): void {
  const text = project.read(path)
  const [tree] = parseOrNote(project, path, text) ?? []
  if (!tree) return
  const out = new MagicString(text)
  const names = new Map<string, string>()
  const removed = new Set<Node>()
  for (const statement of tree.program.body) {
    if (statement.type !== 'ImportDeclaration' || !olderModules.includes(statement.source.value)) continue
    for (const specifier of statement.specifiers) {
      names.set(specifier.local.name, specifier.type === 'ImportSpecifier' ? (nameOf(specifier.imported) ?? '') : '')
    }
    removeStatement(out, statement)
    removed.add(statement)
  }
  for (const statement of tree.program.body) {
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression') continue
    const { callee, arguments: given } = statement.expression
    if (!['initialize', 'initializeWorker'].includes(names.get(nameOf(callee) ?? '') ?? '')) continue
    for (const [name, value] of readStartOptions(project, [{ path, tree }], given[0])) options.set(name, value)
    if (given[1] && !takeHandlers(project, path, tree, given[1], options)) {
      project.note(
        path,
        `initialize() had handlers of the project. Export them from src/mocks/handlers:\n    ${text.slice(...rangeOf(given[1])).replaceAll('\n', '\n    ')}`,
        statement.loc?.start.line,
      )
    }
    removeStatement(out, statement)
    removed.add(statement)
  }
  walk(tree.program, (node, parents) => {
    if (node.type !== 'Identifier' || parents.some((parent) => removed.has(parent))) return
    const exported = names.get(node.name)
    // `mswLoader`, or `mswLoader()` of version 3
    const call = parents[0]?.type === 'CallExpression' && parents[0].callee === node ? parents[0] : undefined
    const [parent, grandparent, owner] = call ? parents.slice(1) : parents
    if (exported === undefined || parent?.type === 'ImportSpecifier') return
    if ((exported === 'mswLoader' || exported === 'mswDecorator') && parent?.type === 'ArrayExpression') {
      const [given] = call?.arguments ?? []
      if (given) takeSetUp(project, path, tree, { name: exported, given }, options)
      removeElement(out, call ?? node, parent, grandparent, owner)
      removed.add(call ?? node)
    } else
      project.note(
        path,
        `"${node.name}" does not exist in Understudy. See "Migrating from msw-storybook-addon".`,
        node.loc?.start.line,
      )
  })
  removeUnusedImports(out, tree, removed)
  project.write(path, /^\s/.test(text) ? out.toString() : out.toString().trimStart())
}

/** Removes an element, or the whole property or export if the list has no other. */
function removeElement(
  out: MagicString,
  node: Node,
  list: Node,
  property: Node | undefined,
  owner: Node | undefined,
): void {
  if (list.type !== 'ArrayExpression') return
  const text = out.original
  if (list.elements.length === 1) {
    if (property?.type === 'ObjectProperty') {
      const [start, end] = rangeOf(property)
      const rest = /^[ \t]*(,?)[ \t]*(?:\r?\n)?/.exec(text.slice(end))
      const before = /,[ \t]*$/.exec(text.slice(0, start))
      // `{ a: 1, loaders: [mswLoader] }` has its comma before the property.
      if (before && !rest?.[1]) out.remove(start - before[0].length, end)
      else out.remove(startOfLine(text, start), end + (rest?.[0].length ?? 0))
      return
    }
    // export const loaders = [mswLoader]
    if (property?.type === 'VariableDeclarator' && owner) {
      out.update(...rangeOf(list), '[]')
      return
    }
  }
  removeFromList(out, list.elements, node)
}

/** Removes an element of a list with its comma. */
function removeFromList(out: MagicString, list: readonly (Node | null)[], node: Node): void {
  const index = list.indexOf(node)
  const next = list[index + 1]
  const before = list[index - 1]
  if (next) out.remove(rangeOf(node)[0], rangeOf(next)[0])
  else if (before) out.remove(rangeOf(before)[1], rangeOf(node)[1])
}

function startOfLine(text: string, position: number): number {
  const start = text.lastIndexOf('\n', position - 1) + 1
  return text.slice(start, position).trim() === '' ? start : position
}

/** Replaces MSW's addon with ours, which gets the options of `initialize()`. */
function migrateMain(project: Project, path: string, options: ReadonlyMap<string, string>): void {
  const text = project.read(path)
  const [tree] = parseOrNote(project, path, text) ?? []
  const configuration = tree && findConfiguration(tree)
  if (!tree || !configuration) {
    project.note(path, `Name ${addon} in "addons".`)
    return
  }
  const out = new MagicString(text)
  const quote = text.includes("'") ? "'" : '"'
  const list = [...options].map(([key, value]) => `${key}: ${value.replaceAll("'", quote)}`)
  const toEntry = (name: string): string =>
    list.length === 0 ? name : `{ name: ${name}, options: { ${list.join(', ')} } }`
  const name = `${quote}${addon}${quote}`
  if (!replaceAddon(out, tree, name, toEntry)) addAddon(project, path, out, configuration, toEntry(name))
  removePublicFolder(project, path, out, configuration)
  project.write(path, out.toString())
}

function replaceAddon(out: MagicString, tree: File, name: string, toEntry: (name: string) => string): boolean {
  let isReplaced = false
  walk(tree.program, (node, parents) => {
    if (node.type !== 'StringLiteral' || node.value !== older) return
    // 'msw-storybook-addon', { name: 'msw-storybook-addon' }, getAbsolutePath('msw-storybook-addon')
    const element = [node, ...parents].find((each, i) => parents[i]?.type === 'ArrayExpression')
    const call = [node, ...parents].find((each) => each.type === 'CallExpression')
    const isCall = call !== undefined && element !== undefined && isWithin(call, element)
    const named = isCall ? out.original.slice(...rangeOf(call)).replace(older, addon) : name
    out.update(...rangeOf(element ?? node), element ? toEntry(named) : name)
    isReplaced = true
  })
  return isReplaced
}

function isWithin(inner: Node, outer: Node): boolean {
  const [start, end] = rangeOf(outer)
  return rangeOf(inner)[0] >= start && rangeOf(inner)[1] <= end
}

function addAddon(
  project: Project,
  path: string,
  out: MagicString,
  configuration: ObjectExpression,
  entry: string,
): void {
  const addons = findProperty(configuration, 'addons')?.value
  if (!addons) addProperty(out, configuration, `addons: [${entry}]`)
  else if (addons.type === 'ArrayExpression') {
    const last = addons.elements.findLast((each) => each !== null)
    if (last) out.appendLeft(rangeOf(last)[1], `, ${entry}`)
    else out.update(...rangeOf(addons), `[${entry}]`)
  } else project.note(path, `Add ${entry} to "addons".`)
}

/** Removes a folder from `staticDirs` if it contained only the worker's file. */
function removePublicFolder(project: Project, path: string, out: MagicString, configuration: ObjectExpression): void {
  const staticDirs = findProperty(configuration, 'staticDirs')
  if (staticDirs?.value.type !== 'ArrayExpression') return
  const root = path.split('/').slice(0, -2)
  for (const element of staticDirs.value.elements) {
    if (element?.type !== 'StringLiteral' || !element.value.startsWith('../')) continue
    const folder = [...root, element.value.slice(3)].join('/').replace(/\/$/, '')
    if (project.isEmptied(folder)) removeElement(out, element, staticDirs.value, staticDirs, configuration)
  }
}
