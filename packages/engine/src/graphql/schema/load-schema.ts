import type { DocumentNode, GraphQLSchema } from 'graphql'

import { failure } from '../../core/failure.ts'
import { toError } from '../../core/network/thrown-error.ts'
import { isGraphQLDocument } from '../document/graphql-document.ts'
import { loadGraphQL, type GraphQLPackage } from '../document/load-graphql.ts'
import { addResolvers } from './add-resolvers.ts'
import { rebuildSchema } from './rebuild-schema.ts'
import type { GraphQLResolvers } from './schema-resolvers.ts'
import { isSchemaObject, type GraphQLSchemaSource } from './schema-source.ts'

/** A schema, with the copy of the package `graphql` that can execute it. */
export interface LoadedSchema {
  readonly graphql: GraphQLPackage
  readonly schema: GraphQLSchema
}

const operation = 'execute an operation against the schema of graphql.schema()'

/**
 * Builds an executable schema.
 *
 * @throws {UnderstudyError} if `graphql` is not installed, or if type definitions or resolvers are invalid
 */
export async function loadSchema(
  source: GraphQLSchemaSource,
  resolvers: GraphQLResolvers | undefined,
): Promise<LoadedSchema> {
  const graphql = await loadGraphQL(operation)
  const schema = build(graphql, source)
  const [problem] = graphql.validateSchema(schema)
  if (problem)
    throw failure(
      'US0513',
      operation,
      `the schema is not valid: ${problem.message.replace(/\.$/, '')}`,
      'Correct the schema.',
    )
  return { graphql, schema: resolvers ? addResolvers(graphql, schema, resolvers) : schema }
}

function build(graphql: GraphQLPackage, source: GraphQLSchemaSource): GraphQLSchema {
  if (isSchemaObject(source)) {
    // Another copy of the package may have created the schema: Vite and Node resolve `graphql` to different files.
    return source instanceof graphql.GraphQLSchema ? source : rebuildSchema(graphql, source as GraphQLSchema)
  }
  try {
    return isGraphQLDocument(source)
      ? graphql.buildASTSchema(source as unknown as DocumentNode)
      : graphql.buildSchema(source)
  } catch (cause) {
    const reason = toError(cause).message.replace(/\.$/, '')
    throw failure(
      'US0514',
      operation,
      `its type definitions cannot be read: ${reason}`,
      'Correct the type definitions.',
      { cause },
    )
  }
}
