import type { CallExpression, File, ImportDeclaration, Node } from '@babel/types'
import MagicString from 'magic-string'

import { addElement, addImport, addProperty, findProperty } from './add-to-configuration.ts'
import type { Project } from './project.ts'
import { removeUnusedImports } from './remove-unused-imports.ts'
import { parseOrNote } from './rewrite-imports.ts'
import { takeSetUp } from './storybook-set-up.ts'
import { nameOf, rangeOf, walk } from './syntax.ts'

const older = 'msw-storybook-addon'
const addon = '@understudy/storybook-addon'

/** Adds the addon where Storybook does not load its annotations: to `definePreview()` and `setProjectAnnotations()`. */
export function migrateAnnotations(project: Project, options: Map<string, string>): void {
  for (const path of project.scripts) {
    const text = project.read(path)
    if (text.includes(addon)) continue
    if (/\bdefinePreview\s*\(/.test(text)) addToPreview(project, path, options)
    else if (/\bsetProjectAnnotations\s*\(/.test(text)) addToSetUp(project, path)
  }
}

/** Adds `understudy()` to the addons of CSF Next, or replaces `addonMsw()` with it. */
function addToPreview(project: Project, path: string, options: Map<string, string>): void {
  const text = project.read(path)
  const [tree] = parseOrNote(project, path, text) ?? []
  const configuration = tree && findCall(tree, 'definePreview')?.arguments[0]
  if (!tree || configuration?.type !== 'ObjectExpression') return
  const out = new MagicString(text)
  const imported = findDefaultImport(tree)
  const replaced = imported && findCall(tree, imported.local)
  const addons = findProperty(configuration, 'addons')?.value
  if (imported && replaced) {
    out.update(...rangeOf(replaced), 'understudy()')
    const [given] = replaced.arguments
    if (given) takeSetUp(project, path, tree, { name: 'addonMsw', given }, options)
    // The import of MSW's addon is replaced, or removed later.
    removeUnusedImports(out, tree, new Set<Node>([replaced, imported.statement]))
  } else if (!addons) addProperty(out, configuration, 'addons: [understudy()]')
  else if (addons.type === 'ArrayExpression') addElement(out, addons, 'understudy()')
  else {
    project.note(path, `Add understudy() to "addons", imported from ${addon}.`, addons.loc?.start.line)
    return
  }
  if (imported && replaced && imported.statement.specifiers.length === 1) {
    const quote = text.charAt(rangeOf(imported.statement.source)[0])
    out.update(...rangeOf(imported.statement.specifiers[0] ?? imported.statement), 'understudy')
    out.update(...rangeOf(imported.statement.source), `${quote}${addon}${quote}`)
  } else addImport(out, tree, { module: addon, binding: 'understudy' })
  project.write(path, out.toString())
}

/** Adds the addon to the annotations of a setup file. */
function addToSetUp(project: Project, path: string): void {
  const text = project.read(path)
  const [tree] = parseOrNote(project, path, text) ?? []
  const call = tree && findCall(tree, 'setProjectAnnotations')
  const [given] = call?.arguments ?? []
  if (!tree || !given) return
  const out = new MagicString(text)
  const [start, end] = rangeOf(given)
  if (given.type !== 'ArrayExpression') out.update(start, end, `[addon, ${text.slice(start, end)}]`)
  else if (given.elements[0]) out.appendLeft(rangeOf(given.elements[0])[0], 'addon, ')
  else out.update(start, end, '[addon]')
  addImport(out, tree, { module: `${addon}/preview`, binding: '* as addon' })
  project.write(path, out.toString())
  if (/(?:^|\/)\.storybook\//.test(path)) return
  const note =
    'To use the handlers of the project here, replace "addon" with understudy({ handlers }). See "Tests" of docs/storybook.md.'
  project.note(path, note, call?.loc?.start.line)
}

/** Returns the first call of a function. */
function findCall(tree: File, name: string): CallExpression | undefined {
  let found: CallExpression | undefined
  walk(tree.program, (node) => {
    if (node.type === 'CallExpression' && nameOf(node.callee) === name) found ??= node
  })
  return found
}

/** Returns the default import of MSW's addon, and its name. */
function findDefaultImport(tree: File): { statement: ImportDeclaration; local: string } | undefined {
  for (const statement of tree.program.body) {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== older) continue
    const specifier = statement.specifiers.find(({ type }) => type === 'ImportDefaultSpecifier')
    if (specifier) return { statement, local: specifier.local.name }
  }
  return undefined
}
