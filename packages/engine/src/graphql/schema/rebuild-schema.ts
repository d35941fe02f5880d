import type {
  GraphQLArgumentConfig,
  GraphQLDirective,
  GraphQLEnumType,
  GraphQLFieldConfig,
  GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  GraphQLInputType,
  GraphQLInterfaceType,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLType,
  GraphQLUnionType,
} from 'graphql'

import type { GraphQLPackage } from '../document/load-graphql.ts'
import { kindOf } from './schema-kind.ts'

/** Changes of a schema's types while they are copied. For a type, `undefined` means no change. */
export interface TypeOverrides {
  field?(typeName: string, fieldName: string): Partial<GraphQLFieldConfig<unknown, unknown>> | undefined
  /** Returns the overrides of a scalar, an enum (its `values`), a union or an interface (`resolveType`), or an object type (`isTypeOf`). */
  type?(type: GraphQLNamedType): object | undefined
}

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>
type Arguments = Record<string, GraphQLArgumentConfig>

/**
 * Copies a schema, maybe with changes. It does not change the given schema, which may be shared. The schema may belong
 * to another copy of the package than the one that executes the result (bundlers and Node resolve `graphql` to
 * different files), so types are identified by their names, not by their classes.
 *
 * @param graphql the copy of the package that executes the result
 */
export function rebuildSchema(
  graphql: GraphQLPackage,
  schema: GraphQLSchema,
  overrides: TypeOverrides = {},
): GraphQLSchema {
  const whole = schema.toConfig()
  const copies = new Map<string, GraphQLNamedType>()
  for (const type of [...graphql.specifiedScalarTypes, ...graphql.introspectionTypes]) copies.set(type.name, type)
  const ownDirectives = new Map(graphql.specifiedDirectives.map((directive) => [directive.name, directive]))

  const copyOf = <Type extends GraphQLNamedType>(type: Type): Type => {
    const copy = copies.get(type.name) ?? copyType(type)
    copies.set(type.name, copy)
    return copy as Type
  }
  const rewrap = <Type extends GraphQLType>(type: Type): Type => {
    const kind = kindOf(type)
    if (kind !== 'GraphQLList' && kind !== 'GraphQLNonNull') return copyOf(type as never)
    const inner = rewrap((type as unknown as { ofType: GraphQLType }).ofType) as never
    const wrapped = kind === 'GraphQLList' ? new graphql.GraphQLList(inner) : new graphql.GraphQLNonNull(inner)
    return wrapped as GraphQLType as Type
  }
  const copyInput = <Config extends GraphQLArgumentConfig | GraphQLInputFieldConfig>(input: Config): Config => {
    const type = rewrap(input.type)
    return { ...input, type, ...readDefault(graphql, input, type) }
  }
  const copyArguments = (args: Readonly<Arguments>): Arguments => mapRecord(args, copyInput)
  const copyFields = (typeName: string, fields: Readonly<Fields>): Fields =>
    mapRecord(fields, (field, fieldName) => ({
      ...field,
      type: rewrap(field.type),
      args: copyArguments(field.args ?? {}),
      ...overrides.field?.(typeName, fieldName),
    }))

  function copyType(type: GraphQLNamedType): GraphQLNamedType {
    const own = overrides.type?.(type)
    const kind = kindOf(type)
    if (kind === 'GraphQLScalarType') {
      const given: Record<string, unknown> = { ...(type as GraphQLScalarType).toConfig() }
      // graphql 16 and 17 have different names for the same members. If both remained, the old value of one would
      // override the new value of the other.
      if (own) for (const name of coercions) delete given[name]
      return new graphql.GraphQLScalarType({ ...given, ...own, name: type.name })
    }
    if (kind === 'GraphQLEnumType') {
      return new graphql.GraphQLEnumType({ ...(type as GraphQLEnumType).toConfig(), ...own })
    }
    if (kind === 'GraphQLInputObjectType') {
      const given = (type as GraphQLInputObjectType).toConfig()
      return new graphql.GraphQLInputObjectType({ ...given, fields: () => mapRecord(given.fields, copyInput) })
    }
    if (kind === 'GraphQLUnionType') {
      const given = (type as GraphQLUnionType).toConfig()
      return new graphql.GraphQLUnionType({ ...given, ...own, types: () => given.types.map(copyOf) })
    }
    const config = withFields(type as GraphQLInterfaceType | GraphQLObjectType, own) as never
    return kind === 'GraphQLInterfaceType'
      ? new graphql.GraphQLInterfaceType(config)
      : new graphql.GraphQLObjectType(config)
  }
  function withFields(type: GraphQLInterfaceType | GraphQLObjectType, own: object | undefined): object {
    const given = type.toConfig()
    return {
      ...given,
      ...own,
      interfaces: () => given.interfaces.map(copyOf),
      fields: () => copyFields(type.name, given.fields),
    }
  }
  const copyDirective = (directive: GraphQLDirective): GraphQLDirective => {
    const given = directive.toConfig()
    return (
      ownDirectives.get(directive.name) ?? new graphql.GraphQLDirective({ ...given, args: copyArguments(given.args) })
    )
  }

  return new graphql.GraphQLSchema({
    ...whole,
    query: whole.query && copyOf(whole.query),
    mutation: whole.mutation && copyOf(whole.mutation),
    subscription: whole.subscription && copyOf(whole.subscription),
    types: whole.types.map(copyOf),
    directives: whole.directives.map(copyDirective),
  })
}

/**
 * graphql 16 stores the parsed value of a default, so enums and scalars whose values were changed must parse it again.
 * (graphql 17 stores the literal.)
 */
function readDefault(
  graphql: GraphQLPackage,
  { astNode, default: kept }: GraphQLArgumentConfig | GraphQLInputFieldConfig,
  type: GraphQLInputType,
): { defaultValue?: unknown } {
  if (graphql.versionInfo.major >= 17) return {}
  const literal = astNode?.defaultValue ?? kept?.literal
  if (!literal) return kept ? { defaultValue: kept.value } : {}
  const read = Reflect.get(graphql, 'valueFromAST') as (literal: unknown, type: unknown) => unknown
  return { defaultValue: read(literal, type) }
}

const coercions = [
  'serialize',
  'parseValue',
  'parseLiteral',
  'coerceOutputValue',
  'coerceInputValue',
  'coerceInputLiteral',
  'valueToLiteral',
]

function mapRecord<Value, Result>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))
}
