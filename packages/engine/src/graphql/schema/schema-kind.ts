const kinds = [
  'GraphQLSchema',
  'GraphQLScalarType',
  'GraphQLObjectType',
  'GraphQLInterfaceType',
  'GraphQLUnionType',
  'GraphQLEnumType',
  'GraphQLInputObjectType',
  'GraphQLList',
  'GraphQLNonNull',
] as const

/**
 * Returns the kind of a part of a schema, created by any copy of the `graphql` package; `undefined` for other values.
 */
export function kindOf(value: unknown): (typeof kinds)[number] | undefined {
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return kinds.find((kind) => kind === name)
}
