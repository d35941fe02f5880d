import type { ImportDeclaration, Node, Program } from '@babel/types'

import { unwrap } from './read-exports.ts'

/** The exports of the engine that create one handler. */
const apis: readonly string[] = ['http', 'graphql', 'ws', 'sse']

/** Returns whether an expression may be a list of handlers. A call may return one, unless it creates a handler or a promise. */
export function isList(program: Program, node: Node): boolean {
  if (node.type === 'TSNonNullExpression') return isList(program, unwrap(node.expression))
  if (/Function|Class|^Object|Literal$|^JSX|^Array|^ImportExpression|Namespace/.test(node.type)) return false
  return !isPromise(node) && !isHandler(program, node)
}

/** Returns whether an expression is surely a promise: `….then(…)`, or the call of an async function that is written there. */
function isPromise(node: Node): boolean {
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression' && node.type !== 'NewExpression')
    return false
  const { callee } = node
  if (callee.type === 'ArrowFunctionExpression' || callee.type === 'FunctionExpression') return callee.async
  if (callee.type === 'Identifier') return node.type === 'NewExpression' && callee.name === 'Promise'
  const { object, property } = readMember(callee)
  if (object?.type === 'Identifier' && object.name === 'Promise') return true
  return property !== undefined && ['then', 'catch', 'finally'].includes(property)
}

/** Returns whether an expression is a call whose chain of members and calls begins with an API of the engine: `http.get(…)`. */
function isHandler({ body }: Program, node: Node): boolean {
  if (node.type !== 'CallExpression') return false
  let root: Node = node
  let first: string | undefined
  for (let next: Node | undefined = node; next;) {
    root = next
    if (root.type === 'CallExpression' || root.type === 'OptionalCallExpression') next = root.callee
    else {
      const { object, property } = readMember(root)
      if (object) first = property
      next = object
    }
  }
  if (root.type !== 'Identifier') return false
  const { name } = root
  return body.some((each) => each.type === 'ImportDeclaration' && importsApi(each, name, first))
}

/** @param member the first member of the chain, for a namespace */
function importsApi({ specifiers }: ImportDeclaration, name: string, member: string | undefined): boolean {
  return specifiers.some((each) => {
    if (each.local.name !== name) return false
    if (each.type === 'ImportNamespaceSpecifier') return member !== undefined && apis.includes(member)
    if (each.type !== 'ImportSpecifier') return false
    const { imported } = each
    return apis.includes(imported.type === 'Identifier' ? imported.name : imported.value)
  })
}

function readMember(node: Node): { object?: Node; property?: string } {
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression') return {}
  const { object, property } = node
  return property.type === 'Identifier' && !node.computed ? { object, property: property.name } : { object }
}
