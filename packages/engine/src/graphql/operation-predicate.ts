import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'
import type { IncomingRequest } from '../core/handlers/incoming-request.ts'
import {
  documentTextOf,
  isGraphQLDocument,
  operationsOf,
  type GraphQLDocument,
  type GraphQLTypedDocument,
} from './document/graphql-document.ts'
import type { GraphQLOperationType, OperationDefinition } from './document/read-operations.ts'
import type { GraphQLOperation } from './request/operation.ts'

/** The argument of a custom predicate. */
export interface GraphQLPredicateInfo {
  request: Request
  query: string
  operationType: GraphQLOperationType
  /** Empty: the operation is anonymous. */
  operationName: string
  variables: Record<string, unknown>
  cookies: Record<string, string>
}

type PredicateResult = boolean | { matches: boolean }

/** Decides whether a handler matches an operation. It is also called for anonymous operations. */
export type GraphQLCustomPredicate = (info: GraphQLPredicateInfo) => PredicateResult | Promise<PredicateResult>

/** An operation's name, a RegExp for it, a document that defines it, or a function. */
export type GraphQLPredicate<Data, Variables> =
  | string
  | RegExp
  | GraphQLDocument
  | GraphQLTypedDocument<Data, Variables>
  | GraphQLCustomPredicate

/** A parsed predicate. */
export interface OperationMatcher {
  /** The text for messages. */
  readonly shown: string
  /** The name that matches, if there is only one. */
  readonly name: string | undefined
  readonly predicate: string | RegExp | GraphQLCustomPredicate
  matches(
    operation: GraphQLOperation & { readonly operationType: GraphQLOperationType },
    incoming: IncomingRequest,
  ): boolean | Promise<boolean>
}

/**
 * Parses the predicate of a handler for one type of operation.
 *
 * @throws {UnderstudyError} if the predicate is not valid, the document is malformed, or it defines no named operation
 *   of the type
 */
export function readOperationPredicate(type: GraphQLOperationType, predicate: unknown): OperationMatcher {
  if (typeof predicate === 'function') return ofFunction(predicate as GraphQLCustomPredicate)
  if (predicate instanceof RegExp) return ofRegExp(predicate)
  const document = isGraphQLDocument(predicate) ? predicate : documentTextOf(predicate)
  if (document !== undefined) return ofName(nameIn(document, type))
  if (typeof predicate === 'string' && predicate !== '') return ofName(predicate)
  throw failure(
    'US0503',
    `create a handler for a GraphQL ${type}`,
    `its first argument is ${describe(predicate)}`,
    `Pass the ${type}'s name, a RegExp, a document or a function that decides about an operation.`,
  )
}

function ofName(name: string): OperationMatcher {
  return { shown: name, name, predicate: name, matches: ({ operationName }) => operationName === name }
}

function ofRegExp(expression: RegExp): OperationMatcher {
  return {
    shown: String(expression),
    name: undefined,
    predicate: expression,
    matches({ operationName }) {
      // Remove the flags `g` and `y`: with them, a match would start where the previous one ended.
      expression.lastIndex = 0
      return operationName !== '' && expression.test(operationName)
    },
  }
}

function ofFunction(predicate: GraphQLCustomPredicate): OperationMatcher {
  return {
    shown: '(predicate)',
    name: undefined,
    predicate,
    async matches({ query, operationType, operationName, variables }, incoming) {
      const { cookies } = incoming
      const request = incoming.copy()
      const result = await predicate({ request, query, operationType, operationName, variables, cookies })
      return typeof result === 'object' ? result.matches : result
    },
  }
}

function nameIn(document: GraphQLDocument | string, type: GraphQLOperationType): string {
  const operation = `create a handler for a GraphQL ${type}`
  let definitions: readonly OperationDefinition[]
  try {
    definitions = operationsOf(document)
  } catch (cause) {
    throw failure(
      'US0504',
      operation,
      `its document is malformed: ${(cause as Error).message}`,
      'Correct the document.',
      {
        cause,
      },
    )
  }
  const ofType = definitions.filter((definition) => definition.type === type)
  const [other] = definitions
  if (ofType.length === 0) {
    throw failure(
      'US0505',
      operation,
      `its document defines no ${type}`,
      other ? `Use graphql.${other.type}() for it.` : 'Pass a document that defines one.',
    )
  }
  const named = ofType.find(({ name }) => name !== undefined)
  if (named?.name === undefined) {
    throw failure(
      'US0506',
      operation,
      `the ${type} of its document has no name`,
      `Name it (${type} GetUser { … }), or match any operation with graphql.operation().`,
    )
  }
  return named.name
}
