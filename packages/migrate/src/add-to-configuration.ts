import type { ArrayExpression, File, Node, ObjectExpression, ObjectProperty } from '@babel/types'
import MagicString from 'magic-string'

import type { Project } from './project.ts'
import { parseOrNote } from './rewrite-imports.ts'
import { nameOf, rangeOf, walk } from './syntax.ts'

/** What a tool's configuration gets: an entry of `plugins`, or a function around the whole configuration. */
export type Addition = {
  /** The module to import. */
  readonly module: string
  /** The imported name: `understudy` for the default export, or `{ UnderstudyWebpackPlugin }`. */
  readonly binding: string
} & (
  | {
      /** The entry of `plugins`, as source text. */
      readonly plugin: string
    }
  | {
      /** A function that takes the configuration and, as its second argument, options as source text. */
      readonly wrapper: { readonly call: string; readonly options: string }
    }
)

/**
 * Adds a plugin to the list `plugins` of a configuration file: an exported object, a call of `defineConfig`, or a
 * function that returns one. For a tool without such a list, calls a function with what the file exports. A file of
 * another shape gets a note.
 */
export function addToConfiguration(project: Project, path: string, addition: Addition): void {
  const text = project.read(path)
  if (text.includes(addition.module)) return
  const [tree] = parseOrNote(project, path, text) ?? []
  if (!tree) return
  const out = new MagicString(text)
  if ('wrapper' in addition) {
    const { call, options } = addition.wrapper
    if (!wrapExport(out, tree, call, options)) {
      const example = `${call}(config${options && `, ${options}`})`
      project.note(path, `Export ${example}, with ${call} imported from ${addition.module}.`)
      return
    }
  } else {
    const configuration = findConfiguration(tree)
    if (!configuration) {
      project.note(path, `Add ${addition.plugin} to "plugins", imported from ${addition.module}.`)
      return
    }
    addPlugin(out, configuration, addition.plugin)
  }
  addImport(out, tree, addition)
  project.write(path, out.toString())
}

/** Returns the object that a configuration file exports. */
export function findConfiguration(tree: File): ObjectExpression | undefined {
  return toObject(tree, findExported(tree))
}

/** Returns what a configuration file exports by default. */
function findExported(tree: File): Node | undefined {
  for (const statement of tree.program.body) {
    if (statement.type === 'ExportDefaultDeclaration') return statement.declaration
    if (statement.type === 'TSExportAssignment') return statement.expression
    if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression') continue
    const { left, right } = statement.expression
    const isExports =
      left.type === 'MemberExpression' && nameOf(left.object) === 'module' && nameOf(left.property) === 'exports'
    if (isExports) return right
  }
  return undefined
}

/** Passes what the file exports to a function. @returns whether the file exports an expression */
function wrapExport(out: MagicString, tree: File, call: string, options: string): boolean {
  const exported = findExported(tree)
  // `export default function () {}` is a declaration, which cannot be an argument if other code calls it by its name.
  if (!exported || exported.type === 'FunctionDeclaration' || exported.type === 'ClassDeclaration') return false
  const [start, end] = rangeOf(exported)
  out.appendLeft(start, `${call}(`)
  out.appendRight(end, `${options && `, ${options}`})`)
  return true
}

/** Returns the object that an expression evaluates to: a literal, a variable, or what a function returns. */
export function toObject(tree: File, node: Node | null | undefined): ObjectExpression | undefined {
  switch (node?.type) {
    case 'ObjectExpression':
      return node
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return toObject(tree, node.expression)
    case 'AwaitExpression':
      return toObject(tree, node.argument)
    // defineConfig(…), defineMain(…), mergeConfig(base, …)
    case 'CallExpression':
      return toObject(tree, node.arguments.at(-1))
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration':
      return node.body.type === 'BlockStatement' ? toObject(tree, findReturned(node.body)) : toObject(tree, node.body)
    case 'Identifier':
      return toObject(tree, findVariable(tree, node.name))
    default:
      return undefined
  }
}

/** Returns the expression of a function's last `return`. */
function findReturned(body: Node): Node | undefined {
  let returned: Node | undefined
  walk(body, (node, parents) => {
    const isOwn = !parents.some((parent) => parent !== body && /Function|Method/.test(parent.type))
    if (node.type === 'ReturnStatement' && isOwn) returned = node.argument ?? undefined
  })
  return returned
}

function findVariable(tree: File, name: string): Node | undefined {
  let found: Node | undefined
  walk(tree.program, (node) => {
    if (node.type === 'VariableDeclarator' && nameOf(node.id) === name) found ??= node.init ?? undefined
  })
  return found
}

/** Returns the property of an object with a name. */
export function findProperty(object: ObjectExpression, name: string): ObjectProperty | undefined {
  return object.properties.find((each) => each.type === 'ObjectProperty' && nameOf(each.key) === name) as
    | ObjectProperty
    | undefined
}

function addPlugin(out: MagicString, configuration: ObjectExpression, plugin: string): void {
  const plugins = findProperty(configuration, 'plugins')
  if (!plugins) {
    addProperty(out, configuration, `plugins: [${plugin}]`)
    return
  }
  // Lists of conditions, as in `[react(), isTest && x].filter(Boolean)`, begin with a list.
  let list: Node = plugins.value
  while (list.type === 'CallExpression' && list.callee.type === 'MemberExpression') list = list.callee.object
  if (list.type === 'ArrayExpression') addElement(out, list, plugin)
  else {
    const value = out.original.slice(...rangeOf(plugins.value))
    out.update(...rangeOf(plugins), `plugins: [...${value}, ${plugin}]`)
  }
}

/** Adds a property as the first one, so that a spread after it can override it. */
export function addProperty(out: MagicString, object: ObjectExpression, property: string): void {
  const [start, end] = rangeOf(object)
  const [first] = object.properties
  if (!first) {
    out.update(start, end, `{ ${property} }`)
    return
  }
  const before = out.original.slice(start + 1, rangeOf(first)[0])
  out.appendLeft(rangeOf(first)[0], `${property},${before.includes('\n') ? `\n${lastLine(before)}` : ' '}`)
}

/** Adds an element to a list, on a separate line if the list is written so. */
export function addElement(out: MagicString, list: ArrayExpression, element: string): void {
  const [start, end] = rangeOf(list)
  const last = list.elements.findLast((each) => each !== null)
  if (!last) {
    out.update(start, end, `[${element}]`)
    return
  }
  const [lastStart, lastEnd] = rangeOf(last)
  const isOnLines = out.original
    .slice(start, rangeOf(list.elements.find((each) => each !== null) ?? last)[0])
    .includes('\n')
  const indent = lastLine(out.original.slice(start, lastStart))
  out.appendLeft(lastEnd, isOnLines ? `,\n${/^\s*/.exec(indent)?.[0] ?? ''}${element}` : `, ${element}`)
}

/** Adds an `import` or a `require()`, as the file uses. */
export function addImport(
  out: MagicString,
  tree: File,
  { module, binding }: Pick<Addition, 'module' | 'binding'>,
): void {
  const text = out.original
  const { body } = tree.program
  const imports = body.filter((node) => node.type === 'ImportDeclaration')
  const requires = body.filter((node) => /^(?:const|let|var)\s[^=]*=\s*require\(/.test(text.slice(...rangeOf(node))))
  const isCommonJs = imports.length === 0 && (requires.length > 0 || /\bmodule\.exports\b/.test(text))
  const last = (isCommonJs ? requires : imports).at(-1)
  const sample = last ? text.slice(...rangeOf(last)) : text
  const quote = sample.includes("'") || !sample.includes('"') ? "'" : '"'
  const semicolon = (last ? sample.endsWith(';') : text.includes(';')) ? ';' : ''
  const line = isCommonJs
    ? `const ${binding} = require(${quote}${module}${quote})${semicolon}`
    : `import ${binding} from ${quote}${module}${quote}${semicolon}`
  if (last) out.appendLeft(rangeOf(last)[1], `\n${line}`)
  else if (body[0])
    out.prependLeft(
      Math.min(rangeOf(body[0])[0], ...(body[0].leadingComments ?? []).map((each) => each.start ?? 0)),
      `${line}\n\n`,
    )
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1)
}
