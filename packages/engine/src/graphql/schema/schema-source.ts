import type { GraphQLDocument } from '../document/graphql-document.ts'
import { kindOf } from './schema-kind.ts'

/** A schema of the `graphql` package. The type describes only its shape, because an app may not have that package. */
export interface GraphQLSchemaObject {
  getQueryType(): unknown
  getTypeMap(): object
}

/** A schema, or type definitions as text or as a parsed document. */
export type GraphQLSchemaSource = string | GraphQLDocument | GraphQLSchemaObject

/** Returns whether a value is a schema of any copy of the package. */
export function isSchemaObject(value: unknown): value is GraphQLSchemaObject {
  return kindOf(value) === 'GraphQLSchema'
}
