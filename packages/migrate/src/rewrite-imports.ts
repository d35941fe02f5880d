import type { ExportNamedDeclaration, File, ImportDeclaration, Node, StringLiteral } from '@babel/types'
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
    if (!/['"](?:msw|virtual:msw)(?:['"/])/.test(text)) continue
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
    walk(tree.program, (node, [parent, grandparent]) => {
      if (node.type === 'ImportDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source)) {
        rewriteDeclaration(project, path, out, node)
      } else if (node.type === 'StringLiteral' && parent && isModuleName(node, parent, grandparent)) {
        replaceSpecifier(project, path, out, node)
      }
    })
  }
  return out.toString()
}

/**
 * Returns whether a string is the specifier of a module: in `import()`, `require()`, `jest.mock()`, `vi.mock()`, or a
 * type.
 */
function isModuleName(node: StringLiteral, parent: Node, grandparent: Node | undefined): boolean {
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
      return object === 'jest' || object === 'vi' || (object === 'require' && nameOf(callee.property) === 'resolve')
    }
    default:
      return false
  }
}

function replaceSpecifier(project: Project, path: string, out: MagicString, node: StringLiteral): void {
  const target = toEntry(node.value)
  const line = node.loc?.start.line
  if (target) out.update(...inside(node), target)
  else if (missing.has(node.value)) {
    project.note(path, `"${node.value}" has no equivalent. ${missing.get(node.value)}`, line)
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
    const entry = (target === engine && entryOf.get(name)) || target
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

/** Returns the range of a string without its quotes. */
function inside(node: StringLiteral): [start: number, end: number] {
  const [start, end] = rangeOf(node)
  return [start + 1, end - 1]
}
