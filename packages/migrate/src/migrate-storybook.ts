import type { File, Node, ObjectExpression } from '@babel/types'
import MagicString from 'magic-string'

import { addProperty, findConfiguration, findProperty } from './add-to-configuration.ts'
import type { Project } from './project.ts'
import { removeStatement } from './remove-statement.ts'
import { parseOrNote } from './rewrite-imports.ts'
import { nameOf, rangeOf, walk } from './syntax.ts'
import { readStartOptions } from './worker-set-up.ts'

const older = 'msw-storybook-addon'
const addon = '@understudy/storybook-addon'

/** Replaces msw-storybook-addon in the configuration of Storybook. */
export function migrateStorybook(project: Project): void {
  const options = new Map<string, string>()
  for (const path of project.scripts) {
    if (project.read(path).includes(older) && !isMain(path)) cleanPreview(project, path, options)
  }
  for (const path of project.scripts.filter(isMain)) migrateMain(project, path, options)
}

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
  const removed: Node[] = []
  for (const statement of tree.program.body) {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== older) continue
    for (const specifier of statement.specifiers) {
      names.set(specifier.local.name, specifier.type === 'ImportSpecifier' ? (nameOf(specifier.imported) ?? '') : '')
    }
    removeStatement(out, statement)
    removed.push(statement)
  }
  for (const statement of tree.program.body) {
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'CallExpression') continue
    const { callee, arguments: given } = statement.expression
    if (!['initialize', 'initializeWorker'].includes(names.get(nameOf(callee) ?? '') ?? '')) continue
    for (const [name, value] of readStartOptions(project, path, given[0])) options.set(name, value)
    if (given.length > 1) {
      project.note(
        path,
        'initialize() had handlers of the project. Export them from src/mocks/handlers.',
        statement.loc?.start.line,
      )
    }
    removeStatement(out, statement)
    removed.push(statement)
  }
  walk(tree.program, (node, parents) => {
    if (node.type !== 'Identifier' || parents.some((parent) => removed.includes(parent))) return
    const exported = names.get(node.name)
    const [parent, grandparent, owner] = parents
    if (exported === undefined || parent?.type === 'ImportSpecifier') return
    const isListed = (exported === 'mswLoader' || exported === 'mswDecorator') && parent?.type === 'ArrayExpression'
    if (isListed) removeElement(out, node, parent, grandparent, owner)
    else project.note(path, `"${node.name}" is gone. See "Migrating from msw-storybook-addon".`, node.loc?.start.line)
  })
  project.write(path, out.toString())
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
      out.remove(startOfLine(text, start), end + (/^\s*,?[ \t]*(?:\r?\n)?/.exec(text.slice(end))?.[0].length ?? 0))
      return
    }
    // export const loaders = [mswLoader]
    if (property?.type === 'VariableDeclarator' && owner) {
      out.update(...rangeOf(list), '[]')
      return
    }
  }
  const index = list.elements.indexOf(node as never)
  const next = list.elements[index + 1]
  const before = list.elements[index - 1]
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
  const name = `${quote}${addon}${quote}`
  const list = [...options].map(([key, value]) => `${key}: ${value.replaceAll("'", quote)}`)
  const entry = list.length === 0 ? name : `{ name: ${name}, options: { ${list.join(', ')} } }`
  if (!replaceAddon(out, tree, entry)) addAddon(project, path, out, configuration, entry)
  removePublicFolder(project, path, out, configuration)
  project.write(path, out.toString())
}

function replaceAddon(out: MagicString, tree: File, entry: string): boolean {
  let isReplaced = false
  walk(tree.program, (node, parents) => {
    if (node.type !== 'StringLiteral' || node.value !== older) return
    // { name: 'msw-storybook-addon' } and getAbsolutePath('msw-storybook-addon')
    const element = [node, ...parents].find((each, i) => parents[i]?.type === 'ArrayExpression')
    out.update(
      ...rangeOf(element ?? node),
      element?.type === 'CallExpression' ? out.original.slice(...rangeOf(element)).replace(older, addon) : entry,
    )
    isReplaced = true
  })
  return isReplaced
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
    if (project.paths.some((file) => file.startsWith(`${folder}/`))) continue
    removeElement(out, element, staticDirs.value, staticDirs, configuration)
  }
}
