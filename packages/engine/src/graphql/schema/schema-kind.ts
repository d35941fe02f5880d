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

/** What a part of a schema is, whichever copy of the `graphql` package made it; `undefined`: none. */
export function kindOf(value: unknown): (typeof kinds)[number] | undefined {
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1)
  return kinds.find((kind) => kind === name)
}
