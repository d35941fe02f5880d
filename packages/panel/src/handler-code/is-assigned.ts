import type { Identifier, Node } from '@babel/types'

/**
 * Returns whether a program may assign a variable after its declaration: also in a block, a function or a loop, by destructuring, or by
 * another `var`. A variable of another scope with the same name counts too, if it is assigned.
 *
 * @param declared the name in the declaration
 */
export function isAssigned(node: Node, declared: Identifier): boolean {
  return (
    findTargets(node).some((each) => contains(each, declared)) ||
    childrenOf(node).some((each) => isAssigned(each, declared))
  )
}

/** Returns the patterns that a node assigns. */
function findTargets(node: Node): readonly Node[] {
  if (node.type === 'AssignmentExpression') return [node.left]
  if (node.type === 'ForInStatement' || node.type === 'ForOfStatement') {
    return node.left.type === 'VariableDeclaration' ? [] : [node.left]
  }
  // `let` and `const` declare another variable.
  return node.type === 'VariableDeclaration' && node.kind === 'var' ? node.declarations.map(({ id }) => id) : []
}

/** Returns whether a pattern has the variable. `list[0] = item` assigns an item, not the variable. */
function contains(pattern: Node, declared: Identifier): boolean {
  if (pattern.type === 'Identifier') return pattern.name === declared.name && pattern !== declared
  return pattern.type !== 'MemberExpression' && childrenOf(pattern).some((each) => contains(each, declared))
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node)
    .flat()
    .filter((each: unknown): each is Node => typeof each === 'object' && each !== null && 'type' in each)
}
