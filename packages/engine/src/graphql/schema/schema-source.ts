import type { GraphQLDocument } from '../document/graphql-document.ts'
import { kindOf } from './schema-kind.ts'

/** A schema of the `graphql` package, by its shape: types need no package that an app may not have. */
export interface GraphQLSchemaObject {
  getQueryType(): unknown
  getTypeMap(): object
}

/** A schema, or its type definitions as a text or a parsed document. */
export type GraphQLSchemaSource = string | GraphQLDocument | GraphQLSchemaObject

/** Whether a value is a schema of any copy of the package. */
export function isSchemaObject(value: unknown): value is GraphQLSchemaObject {
  return kindOf(value) === 'GraphQLSchema'
}
