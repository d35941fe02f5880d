/**
 * Answers one field: the value, or a promise of it. Of a subscription, an async iterable of objects that hold the field.
 * (Declared as a method, so that the types that a resolver gives its parameters are its own.)
 */
export type GraphQLFieldResolver = {
  resolve(parent: unknown, args: Readonly<Record<string, unknown>>, context: unknown, info: unknown): unknown
}['resolve']

/** The fields of an object type, by name; of a subscription, also `{ subscribe, resolve }`. */
export type GraphQLTypeResolvers = Readonly<
  Record<string, GraphQLFieldResolver | { subscribe?: GraphQLFieldResolver; resolve?: GraphQLFieldResolver }>
>

/**
 * Resolvers by the names of types, as Apollo Server and GraphQL Tools take them: of an object type, its fields; of a
 * scalar, a `GraphQLScalarType`; of an enum, its internal values; of an interface or a union, `__resolveType`.
 */
export type GraphQLResolvers = Readonly<Record<string, GraphQLTypeResolvers | object>>
