import type { CallExpression, File, Node, Statement } from '@babel/types'
import MagicString from 'magic-string'

import type { Project } from './project.ts'
import { removeStatement } from './remove-statement.ts'
import { removeUnusedImports } from './remove-unused-imports.ts'
import { parseOrNote } from './rewrite-imports.ts'
import { findConditions, noteConditions, type Conditions } from './start-conditions.ts'
import { isStart, readStartOptions } from './start-options.ts'
import { nameOf, rangeOf, walk } from './syntax.ts'
import { findStartCalls, isStartOf, resolveModule, type WorkerModule } from './worker-set-up.ts'

/**
 * Removes the code that starts MSW's worker, because the plugin starts it now. Code that differs from MSW's guides
 * stays, with a note.
 *
 * @returns the options of `worker.start()`, as source text
 */
export function removeStartCode(project: Project, worker: WorkerModule): Map<string, string> {
  const options = new Map<string, string>()
  let isUsed = false
  for (const call of findStartCalls(worker.tree, worker.worker)) {
    for (const [name, value] of readStartOptions(project, [worker], call.arguments[0])) options.set(name, value)
  }
  for (const path of project.scripts) {
    if (path === worker.path) continue
    const text = project.read(path)
    const names = worker.path.replace(/(?:\/index)?\.\w+$/, '')
    if (!text.includes(names.slice(names.lastIndexOf('/') + 1))) continue
    for (const tree of parseOrNote(project, path, text) ?? []) {
      const starter = new StartCode(project, worker, path, text, tree)
      if (!starter.isImporting) continue
      for (const [name, value] of starter.options) options.set(name, value)
      if (starter.remove()) {
        project.write(path, starter.text)
        noteConditions(project, path, text, starter.conditions)
      } else {
        isUsed = true
        project.note(
          path,
          'This code starts the worker. The plugin does that now. Remove the code and the calls of its functions. Move other preparations, such as filling a database, to the handlers module.',
          starter.line,
        )
        noteConditions(project, path, text, starter.conditionsOfImport)
      }
    }
  }
  if (worker.isPlain && !isUsed) project.remove(worker.path)
  else if (!worker.isPlain) {
    project.note(worker.path, 'The plugin starts the worker. Move the other code of this file, and delete the file.')
  }
  return options
}

/** The statements of one file that start the worker. */
class StartCode {
  readonly options = new Map<string, string>()
  readonly isImporting: boolean
  readonly line: number | undefined
  /** The conditions under which the file imports the worker. */
  readonly conditionsOfImport: Conditions
  /** The conditions under which the removed code started the worker. */
  readonly conditions: Conditions = new Map()
  readonly #project: Project
  readonly #worker: WorkerModule
  readonly #path: string
  readonly #tree: File
  readonly #out: MagicString
  /** The names of functions that only start the worker, and of the worker itself. */
  readonly #starters = new Set<string>()
  readonly #workers = new Set<string>()
  readonly #removed = new Set<Node>()
  /** The bodies of callbacks, which replace removed statements. */
  readonly #kept = new Set<Node>()

  constructor(project: Project, worker: WorkerModule, path: string, text: string, tree: File) {
    this.#project = project
    this.#worker = worker
    this.#path = path
    this.#tree = tree
    this.#out = new MagicString(text)
    let first: Node | undefined
    let conditions: Conditions = new Map()
    walk(tree.program, (node, parents) => {
      const specifier = readSpecifier(node)
      if (!first && specifier !== undefined && resolveModule(project, path, specifier) === worker.path) {
        first = node
        conditions = findConditions(node, parents)
      }
      // Other objects of the file may have a method with this name.
      const isOfWorker = (call: CallExpression): boolean =>
        call.arguments[0]?.type === 'ObjectExpression' || isStartOf(call, worker.worker ?? 'worker')
      if (node.type === 'CallExpression' && isStart(node) && isOfWorker(node)) {
        const given = readStartOptions(project, [{ path, tree }, worker], node.arguments[0])
        for (const [name, value] of given) this.options.set(name, value)
      }
    })
    this.isImporting = first !== undefined
    this.line = first?.loc?.start.line
    this.conditionsOfImport = conditions
  }

  get text(): string {
    const text = this.#out.toString()
    return /^\s/.test(this.#out.original) ? text : text.trimStart()
  }

  /** @returns whether all of the code could be removed. If not, the file does not change */
  remove(): boolean {
    const { body } = this.#tree.program
    for (const statement of body) this.#removeImport(statement)
    for (const statement of body) this.#removeStarter(statement)
    for (const statement of body) this.#removeCall(statement)
    if (this.#isNamed()) return false
    // The templates of other files may use an import.
    if (/\.[cm]?[jt]sx?$/.test(this.#path)) removeUnusedImports(this.#out, this.#tree, this.#removed, this.#kept)
    return true
  }

  /** `import { worker } from './mocks/browser'` */
  #removeImport(statement: Statement): void {
    if (statement.type !== 'ImportDeclaration') return
    if (resolveModule(this.#project, this.#path, statement.source.value) !== this.#worker.path) return
    for (const { local } of statement.specifiers) this.#workers.add(local.name)
    this.#delete(statement)
  }

  /** Removes a function that only imports and starts the worker. */
  #removeStarter(statement: Statement): void {
    const declaration = statement.type === 'VariableDeclaration' ? statement.declarations[0] : statement
    const name = declaration && 'id' in declaration ? nameOf(declaration.id) : undefined
    const body =
      declaration?.type === 'FunctionDeclaration'
        ? declaration.body
        : declaration?.type === 'VariableDeclarator' && declaration.init && 'body' in declaration.init
          ? declaration.init.body
          : undefined
    if (name === undefined || !body || Array.isArray(body) || body.type !== 'BlockStatement') return
    if (!this.#mentionsWorker(body) || !body.body.every((each) => this.#isStarting(each))) return
    this.#starters.add(name)
    this.#delete(statement)
  }

  /** Removes the call of such a function or of `worker.start()`, with the condition around it. */
  #removeCall(statement: Statement): void {
    if (this.#removed.has(statement)) return
    if (statement.type === 'ExpressionStatement') {
      const callback = this.#findCallback(statement.expression)
      if (callback) {
        this.#replace(statement, callback)
        return
      }
    }
    if (!this.#mentionsWorker(statement) && !this.#callsStarter(statement)) return
    if (!this.#isStarting(statement)) return
    // `const { worker } = await import('./mocks/browser')` names the worker for the statements after it.
    if (statement.type === 'VariableDeclaration') {
      for (const { id } of statement.declarations) {
        walk(id, (node) => {
          if (node.type === 'Identifier') this.#workers.add(node.name)
        })
      }
    }
    this.#delete(statement)
  }

  /** Finds the callback of `enableMocking().then(() => { … })`. */
  #findCallback(expression: Node): Node | undefined {
    if (expression.type !== 'CallExpression' || expression.callee.type !== 'MemberExpression') return undefined
    const { object, property } = expression.callee
    const [callback] = expression.arguments
    const method = nameOf(property)
    if ((method !== 'then' && method !== 'finally') || object.type !== 'CallExpression') return undefined
    if (!this.#isStarterCall(object) || expression.arguments.length !== 1) return undefined
    const isFunction = callback?.type === 'ArrowFunctionExpression' || callback?.type === 'FunctionExpression'
    if (isFunction) return callback.params.length === 0 ? callback.body : undefined
    return callback?.type === 'Identifier' ? callback : undefined
  }

  #isStarterCall(call: CallExpression): boolean {
    if (this.#starters.has(nameOf(call.callee) ?? '')) return true
    return (
      isStart(call) && call.callee.type === 'MemberExpression' && this.#workers.has(nameOf(call.callee.object) ?? '')
    )
  }

  /** Returns whether a statement only helps to start the worker, so that it can be removed. */
  #isStarting(statement: Statement): boolean {
    switch (statement.type) {
      case 'EmptyStatement':
        return true
      case 'BlockStatement':
        return statement.body.every((each) => this.#isStarting(each))
      case 'IfStatement':
        this.conditions.set(statement.test, !this.#isEmptyReturn(statement.consequent))
        return this.#isStarting(statement.consequent) && (!statement.alternate || this.#isStarting(statement.alternate))
      case 'ReturnStatement':
        return !statement.argument || this.#isStartExpression(statement.argument)
      case 'ExpressionStatement':
        return this.#isStartExpression(statement.expression)
      case 'VariableDeclaration':
        return statement.declarations.every(({ init }) => init != null && this.#isStartExpression(init))
      default:
        return false
    }
  }

  /** Returns whether a statement only ends its function. */
  #isEmptyReturn(statement: Statement): boolean {
    const text = this.#out.original.slice(...rangeOf(statement))
    return /^(?:\{\s*)?return\s*(?:undefined|Promise\.resolve\(\))?;?(?:\s*\})?$/.test(text)
  }

  #isStartExpression(node: Node): boolean {
    switch (node.type) {
      case 'AwaitExpression':
        return this.#isStartExpression(node.argument)
      case 'UnaryExpression':
        return node.operator === 'void' && this.#isStartExpression(node.argument)
      case 'Identifier':
        return node.name === 'undefined' || this.#workers.has(node.name)
      case 'LogicalExpression':
        if (!this.#isStartExpression(node.left)) this.conditions.set(node.left, node.operator !== '||')
        return this.#isStartExpression(node.right)
      case 'MemberExpression':
        return this.#isStartExpression(node.object)
      case 'ImportExpression':
        return this.#isWorkerModule(node)
      case 'CallExpression': {
        if (this.#isWorkerModule(node)) return true
        if (this.#starters.has(nameOf(node.callee) ?? '')) return true
        const { callee } = node
        if (callee.type !== 'MemberExpression') return false
        const method = nameOf(callee.property)
        // `const { worker } = await import('./mocks/browser')` declares the worker in its own statement.
        if (method === 'start') return nameOf(callee.object) !== undefined || this.#isStartExpression(callee.object)
        if (method === 'resolve' && nameOf(callee.object) === 'Promise') return node.arguments.length === 0
        return (
          method === 'then' &&
          this.#isStartExpression(callee.object) &&
          node.arguments.every((each) => this.#startsOnly(each))
        )
      }
      default:
        return false
    }
  }

  /** `({ worker }) => worker.start()` */
  #startsOnly(node: Node): boolean {
    if (node.type !== 'ArrowFunctionExpression') return false
    return node.body.type === 'BlockStatement'
      ? node.body.body.every((each) => this.#isStarting(each))
      : this.#isStartExpression(node.body)
  }

  #isWorkerModule(node: Node): boolean {
    const specifier = readSpecifier(node)
    return specifier !== undefined && resolveModule(this.#project, this.#path, specifier) === this.#worker.path
  }

  #mentionsWorker(node: Node): boolean {
    let found = false
    walk(node, (each) => {
      found ||= this.#isWorkerModule(each) || (each.type === 'Identifier' && this.#workers.has(each.name))
    })
    return found
  }

  #callsStarter(node: Node): boolean {
    let found = false
    walk(node, (each) => {
      found ||= each.type === 'CallExpression' && this.#starters.has(nameOf(each.callee) ?? '')
    })
    return found
  }

  /** Returns whether remaining code still refers to the worker or to a function that started it. */
  #isNamed(): boolean {
    const remaining = this.#tree.program.body.filter((statement) => !this.#removed.has(statement))
    return [...remaining, ...this.#kept].some((node) => this.#mentionsWorker(node) || this.#callsStarter(node))
  }

  #delete(statement: Statement): void {
    this.#removed.add(statement)
    removeStatement(this.#out, statement)
  }

  /** Replaces a statement with the body of its callback, indented one level less. */
  #replace(statement: Statement, body: Node): void {
    this.#removed.add(statement)
    this.#kept.add(body)
    const text = this.#out.original
    if (body.type === 'Identifier') {
      this.#out.update(...rangeOf(statement), `${body.name}()${text[rangeOf(statement)[1] - 1] === ';' ? ';' : ''}`)
      return
    }
    if (body.type !== 'BlockStatement') {
      const end = text[rangeOf(statement)[1] - 1] === ';' ? ';' : ''
      this.#out.update(...rangeOf(statement), text.slice(...rangeOf(body)) + end)
      return
    }
    const [start, end] = rangeOf(body)
    const lines = text
      .slice(start + 1, end - 1)
      .replace(/^[ \t]*\r?\n/, '')
      .trimEnd()
      .split('\n')
    const indent = Math.min(
      ...lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0),
    )
    this.#out.update(...rangeOf(statement), lines.map((line) => line.slice(indent)).join('\n'))
  }
}

/** Returns the specifier of an import of any form. */
function readSpecifier(node: Node): string | undefined {
  if (node.type === 'ImportDeclaration') return node.source.value
  if (node.type === 'ImportExpression') return nameOf(node.source)
  if (node.type !== 'CallExpression') return undefined
  const isImport = node.callee.type === 'Import' || nameOf(node.callee) === 'require'
  const [first] = node.arguments
  return isImport && first?.type === 'StringLiteral' ? first.value : undefined
}
