import type { GraphQLFieldConfig, GraphQLNamedType, GraphQLSchema } from 'graphql'

import { describe } from '../../core/describe.ts'
import { failure } from '../../core/failure.ts'
import type { GraphQLPackage } from '../document/load-graphql.ts'
import { rebuildSchema } from './rebuild-schema.ts'
import type { GraphQLResolvers } from './schema-resolvers.ts'

const operation = 'give a GraphQL schema its resolvers'

/**
 * Returns a copy of a schema with additional resolvers.
 *
 * @throws {UnderstudyError} if the schema has no such type or field, or a resolver is not a function
 */
export function addResolvers(
  graphql: GraphQLPackage,
  schema: GraphQLSchema,
  resolvers: GraphQLResolvers,
): GraphQLSchema {
  const byType = new Map<string, object>(Object.entries(resolvers))
  for (const [name, own] of byType) check(graphql, schema, name, own)
  const subscriptionType = schema.getSubscriptionType()?.name

  return rebuildSchema(graphql, schema, {
    field(typeName, fieldName) {
      const own = byType.get(typeName)
      const resolver: unknown = own && Object.hasOwn(own, fieldName) ? Reflect.get(own, fieldName) : undefined
      if (resolver === undefined) return undefined
      const config = (
        typeof resolver === 'function'
          ? { [typeName === subscriptionType ? 'subscribe' : 'resolve']: resolver }
          : resolver
      ) as Partial<GraphQLFieldConfig<unknown, unknown>>
      return config
    },
    type(type) {
      const own = byType.get(type.name)
      return own && toTypeConfig(graphql, type, own)
    },
  })
}

function toTypeConfig(graphql: GraphQLPackage, type: GraphQLNamedType, own: object): object | undefined {
  if (graphql.isScalarType(type)) return toScalarConfig(own)
  if (graphql.isEnumType(type)) {
    const entries = Object.entries(type.toConfig().values)
    const valueOf = (name: string, known: unknown): unknown =>
      Object.hasOwn(own, name) ? Reflect.get(own, name) : known
    return {
      values: Object.fromEntries(
        entries.map(([name, config]) => [name, { ...config, value: valueOf(name, config.value) }]),
      ),
    }
  }
  const { __resolveType: resolveType, __isTypeOf: isTypeOf } = own as { __resolveType?: unknown; __isTypeOf?: unknown }
  return { ...(resolveType !== undefined && { resolveType }), ...(isTypeOf !== undefined && { isTypeOf }) }
}

/** Returns the config of a scalar, which may be given as a scalar or as its config. */
function toScalarConfig(own: object): object {
  const { toConfig } = own as { toConfig?: () => object }
  return typeof toConfig === 'function' ? Reflect.apply(toConfig, own, []) : own
}

function check(graphql: GraphQLPackage, schema: GraphQLSchema, typeName: string, own: unknown): void {
  const type = schema.getType(typeName)
  if (!type) {
    const known = Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('__'))
    throw failure('US0515', operation, `it has no type "${typeName}"`, `Its types are ${known.join(', ')}.`)
  }
  if (typeof own !== 'object' || own === null) {
    throw failure(
      'US0516',
      operation,
      `the resolvers of "${typeName}" are ${describe(own)}`,
      'Pass an object: { field: () => … }.',
    )
  }
  const names = memberNames(graphql, type)
  if (!names) return
  for (const [name, resolver] of Object.entries(own as Record<string, unknown>)) {
    if (name.startsWith('__')) continue
    if (!names.includes(name)) {
      throw failure(
        'US0517',
        operation,
        `its type "${typeName}" has no "${name}"`,
        `It has ${names.length === 0 ? 'no fields of its own' : names.join(', ')}.`,
      )
    }
    if (!graphql.isEnumType(type) && typeof resolver !== 'function' && (typeof resolver !== 'object' || !resolver)) {
      throw failure(
        'US0518',
        operation,
        `the resolver of ${typeName}.${name} is ${describe(resolver)}`,
        'Pass a function that returns the value.',
      )
    }
  }
}

/** Returns the names that the resolvers of a type may have; `undefined` for a scalar, which has a config. */
function memberNames(graphql: GraphQLPackage, type: GraphQLNamedType): string[] | undefined {
  if (graphql.isObjectType(type) || graphql.isInterfaceType(type)) return Object.keys(type.getFields())
  if (graphql.isEnumType(type)) return type.getValues().map(({ name }) => name)
  return graphql.isScalarType(type) ? undefined : []
}
