import type {
  ExportNamedDeclaration,
  File,
  ImportDeclaration,
  Node,
  ObjectProperty,
  StringLiteral,
  TemplateLiteral,
  VariableDeclarator,
} from '@babel/types'
import MagicString from 'magic-string'

import type { Project } from './project.ts'
import { nameOf, parseScripts, rangeOf, walk } from './syntax.ts'

const engine = '@understudy/engine'

/** Names that a version of MSW exports from `msw`, and Understudy exports from another entry. */
const entryOf = new Map(
  Object.entries({
    setupWorker: `${engine}/browser`,
    SetupWorker: `${engine}/browser`,
    SetupWorkerApi: `${engine}/browser`,
    StartOptions: `${engine}/browser`,
    handleRequest: `${engine}/msw`,
    HandleRequestOptions: `${engine}/msw`,
    onUnhandledRequest: `${engine}/msw`,
    SetupApi: `${engine}/msw`,
  }),
)

/** Names without a counterpart, with advice. */
const adviceOf = new Map(
  Object.entries({
    defaultContext: 'Call the resolver through its handler: getResponse([handler], request).',
    graphqlContext: 'Call the resolver through its handler: getResponse([handler], request).',
    restContext: 'Call the resolver through its handler: getResponse([handler], request).',
    response: 'Call the resolver through its handler: getResponse([handler], request).',
    defaultResponse: 'Call the resolver through its handler: getResponse([handler], request).',
    SetupServerCommonApi: 'Use setupServer().',
    createGraphQLSubscriptionHandler: 'Use graphql.subscription().',
    GraphQLSubscriptionHandler: 'Use graphql.subscription().',
  }),
)

/** Specifiers of MSW without a counterpart. */
const missing = new Map(
  Object.entries({
    'msw/native': 'React Native is described in "Migrating from MSW".',
    'msw/experimental': 'Its exports have no equivalent.',
    'msw/vite': 'Use the default export of @understudy/vite-plugin.',
    'virtual:msw': 'The Vite plugin of Understudy needs no import: remove it.',
  }),
)

/** Changes every import from MSW in all scripts of the project. */
export function rewriteImports(project: Project): void {
  for (const path of project.scripts) {
    const text = project.read(path)
    if (!/['"`](?:msw|virtual:msw)(?:['"`/])/.test(text)) continue
    const trees = parseOrNote(project, path, text)
    if (trees) project.write(path, rewriteFile(project, path, text, trees))
  }
}

/** Parses the scripts of a file. If that fails, adds a note. */
export function parseOrNote(project: Project, path: string, text: string): File[] | undefined {
  try {
    return parseScripts(path, text)
  } catch (error) {
    project.note(path, `This file does not parse (${(error as Error).message}). Change its imports by hand.`)
    return undefined
  }
}

function rewriteFile(project: Project, path: string, text: string, trees: readonly File[]): string {
  const out = new MagicString(text)
  for (const tree of trees) {
    // Do this first: a part that was replaced cannot be changed again.
    for (const comment of tree.comments ?? []) {
      if (comment.type !== 'CommentBlock' || !comment.value.startsWith('*')) continue
      const start = (comment.start ?? 0) + '/*'.length
      const changed = rewriteAnnotation(comment.value)
      if (changed !== comment.value) out.update(start, start + comment.value.length, changed)
    }
    const namespaces = new Set<string>()
    walk(tree.program, (node, parents) => {
      const [parent, grandparent] = parents
      const namespace = namespaceOf(node)
      if (namespace) namespaces.add(namespace)
      noteMember(project, path, node, namespaces)
      if (node.type === 'ImportDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source)) {
        rewriteDeclaration(project, path, out, node)
      } else if (isText(node) && parent && isModuleName(node, parent, grandparent)) {
        if (!rewriteLoaded(out, node, parents)) replaceSpecifier(project, path, out, node)
      }
    })
  }
  return out.toString()
}

/** Changes the imports in a JSDoc comment, by which TypeScript reads the types of JavaScript. */
function rewriteAnnotation(comment: string): string {
  return comment
    .replaceAll(
      /(\bimport\(\s*['"])(msw(?:\/[\w/-]+)?)(['"]\s*\)(?:\s*\.\s*(\w+))?)/g,
      (all, before: string, specifier: string, after: string, name: string | undefined) => {
        const target = toEntry(specifier)
        return target ? before + entryFor(target, name) + after : all
      },
    )
    .replaceAll(
      /(@import\s[^@]*?\bfrom\s*['"])(msw(?:\/[\w/-]+)?)(?=['"])/g,
      (all, before: string, specifier: string) => {
        const target = toEntry(specifier)
        const names = (/\{([^}]*)\}/.exec(before)?.[1] ?? '').split(',').map((name) => name.trim().split(/\s/)[0])
        const entries = new Set(target && names.map((name) => entryFor(target, name)))
        return target ? before + (entries.size === 1 ? [...entries][0] : target) : all
      },
    )
}

/** Returns the name of a variable that holds all exports of `msw`. */
function namespaceOf(node: Node): string | undefined {
  if (node.type === 'ImportDeclaration' && toEntry(node.source.value) === engine) {
    return node.specifiers.find(({ type }) => type === 'ImportNamespaceSpecifier')?.local.name
  }
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return undefined
  const call = node.init?.type === 'AwaitExpression' ? node.init.argument : node.init
  const [specifier] = call?.type === 'CallExpression' ? call.arguments : []
  const isLoaded = specifier && isText(specifier) && isModuleName(specifier, call as Node, undefined)
  return isLoaded && toEntry(valueOf(specifier)) === engine ? node.id.name : undefined
}

/** Adds a note to a name that is read from all exports of `msw`, and that another entry of the engine exports. */
function noteMember(project: Project, path: string, node: Node, namespaces: ReadonlySet<string>): void {
  const [object, property] =
    node.type === 'MemberExpression'
      ? [node.object, node.property]
      : node.type === 'TSQualifiedName'
        ? [node.left, node.right]
        : []
  const name = nameOf(property)
  const entry = name === undefined ? undefined : entryOf.get(name)
  if (!entry || !namespaces.has(nameOf(object) ?? '')) return
  project.note(path, `"${name}" is an export of ${entry}. Import it from there.`, node.loc?.start.line)
}

/** Returns the entry that exports a name, where MSW has it in an entry that corresponds to `target`. */
function entryFor(target: string, name: string | undefined): string {
  return (target === engine && name !== undefined && entryOf.get(name)) || target
}

function isText(node: Node): node is StringLiteral | TemplateLiteral {
  return node.type === 'StringLiteral' || (node.type === 'TemplateLiteral' && node.quasis.length === 1)
}

/**
 * Changes the specifier of `require()` or `import()` to the entry of the names that are read from the module. If they come
 * from several entries, splits the declaration.
 *
 * @returns whether the specifier was changed
 */
function rewriteLoaded(out: MagicString, node: StringLiteral | TemplateLiteral, parents: readonly Node[]): boolean {
  if (toEntry(valueOf(node)) !== engine) return false
  const [call, ...outer] = parents
  const [user, declaration] = outer[0]?.type === 'AwaitExpression' ? outer.slice(1) : outer
  if (call?.type === 'TSImportType') return false
  if (user?.type === 'MemberExpression') {
    out.update(...inside(node), entryFor(engine, nameOf(user.property)))
    return true
  }
  if (user?.type !== 'VariableDeclarator' || declaration?.type !== 'VariableDeclaration') return false
  const properties = propertiesOf(user)
  if (!properties) return false
  const entries = new Map<string, string[]>()
  for (const property of properties) {
    const entry = entryFor(engine, nameOf(property.key))
    entries.set(entry, [...(entries.get(entry) ?? []), out.original.slice(...rangeOf(property))])
  }
  if (entries.size > 1 && declaration.declarations.length > 1) return false
  const [start, end] = rangeOf(user)
  const [from, to] = inside(node)
  const after = out.original.slice(rangeOf(user.id)[1], from)
  const declarators = [...entries].map(
    ([entry, names]) => `{ ${names.join(', ')} }${after}${entry}${out.original.slice(to, end)}`,
  )
  if (entries.size === 1) out.update(from, to, [...entries.keys()][0] ?? engine)
  else out.update(start, end, declarators.join(`\n${declaration.kind} `))
  return true
}

/** Returns the properties of a pattern, if it has no others than named ones. */
function propertiesOf({ id }: VariableDeclarator): ObjectProperty[] | undefined {
  if (id.type !== 'ObjectPattern' || id.properties.length === 0) return undefined
  const named = id.properties.filter((property) => property.type === 'ObjectProperty' && !property.computed)
  return named.length === id.properties.length ? named : undefined
}

/**
 * Returns whether a string is the specifier of a module: in `import()`, `require()`, `jest.mock()`, `vi.mock()`, or a
 * type.
 */
function isModuleName(node: StringLiteral | TemplateLiteral, parent: Node, grandparent: Node | undefined): boolean {
  switch (parent.type) {
    case 'ExportAllDeclaration':
    case 'TSExternalModuleReference':
    case 'TSModuleDeclaration':
    case 'TSImportType':
    case 'ImportExpression':
      return true
    case 'TSLiteralType':
      return grandparent?.type === 'TSImportType'
    case 'CallExpression': {
      if (parent.arguments[0] !== node) return false
      const { callee } = parent
      if (callee.type === 'Import') return true
      if (callee.type === 'Identifier') return callee.name === 'require'
      if (callee.type !== 'MemberExpression') return false
      const object = nameOf(callee.object)
      const property = nameOf(callee.property)
      return (
        object === 'jest' ||
        object === 'vi' ||
        object === 'vitest' ||
        (object === 'require' && property === 'resolve') ||
        // Of `node:test` and Bun.
        (object === 'mock' && property === 'module')
      )
    }
    default:
      return false
  }
}

function replaceSpecifier(
  project: Project,
  path: string,
  out: MagicString,
  node: StringLiteral | TemplateLiteral,
): void {
  const specifier = valueOf(node)
  const target = toEntry(specifier)
  const line = node.loc?.start.line
  if (target) out.update(...inside(node), target)
  else if (missing.has(specifier)) {
    project.note(path, `"${specifier}" has no equivalent. ${missing.get(specifier)}`, line)
  }
}

/** Splits a declaration whose names come from several entries. */
function rewriteDeclaration(
  project: Project,
  path: string,
  out: MagicString,
  node: ImportDeclaration | ExportNamedDeclaration,
): void {
  if (!node.source) return
  const target = toEntry(node.source.value)
  if (!target) {
    replaceSpecifier(project, path, out, node.source)
    return
  }
  const names = node.specifiers.filter(
    (specifier) => specifier.type === 'ImportSpecifier' || specifier.type === 'ExportSpecifier',
  )
  const entries = new Map<string, string[]>()
  for (const specifier of names) {
    const name = nameOf(specifier.type === 'ImportSpecifier' ? specifier.imported : specifier.local) ?? ''
    const advice = adviceOf.get(name)
    if (advice) project.note(path, `"${name}" has no equivalent. ${advice}`, specifier.loc?.start.line)
    const entry = entryFor(target, name)
    const written = out.original.slice(...rangeOf(specifier))
    entries.set(entry, [...(entries.get(entry) ?? []), written])
  }
  const [first] = entries.keys()
  if (entries.size <= 1) {
    out.update(...inside(node.source), first ?? target)
    return
  }
  const [start, end] = rangeOf(node)
  const original = out.original.slice(start, end)
  const quote = out.original[rangeOf(node.source)[0]]
  const keyword = /^(?:import|export)(?:\s+type)?/.exec(original)?.[0] ?? 'import'
  const semicolon = original.endsWith(';') ? ';' : ''
  const others = node.specifiers.filter((specifier) => !(names as Node[]).includes(specifier))
  const defaults = others.map((specifier) => out.original.slice(...rangeOf(specifier)))
  out.update(
    start,
    end,
    [...entries]
      .map(([entry, list], i) => {
        const before = i === 0 && defaults.length > 0 ? `${defaults.join(', ')}, ` : ''
        return `${keyword} ${before}{ ${list.join(', ')} } from ${quote}${entry}${quote}${semicolon}`
      })
      .join('\n'),
  )
}

/** Returns Understudy's entry for an entry of MSW. */
function toEntry(specifier: string): string | undefined {
  if (specifier === 'msw/node' || specifier === 'msw/browser') return `${engine}/${specifier.slice('msw/'.length)}`
  return /^msw(?:\/(?:http|graphql|ws|sse|(?:core|utils)\/[\w-]+))?$/.test(specifier) ? engine : undefined
}

/** Returns the text of a string. */
function valueOf(node: StringLiteral | TemplateLiteral): string {
  return node.type === 'StringLiteral' ? node.value : (node.quasis[0]?.value.cooked ?? '')
}

/** Returns the range of a string without its quotes. */
function inside(node: StringLiteral | TemplateLiteral): [start: number, end: number] {
  const [start, end] = rangeOf(node)
  return [start + 1, end - 1]
}
