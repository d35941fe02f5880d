/**
 * Answers one field. Returns the value or a promise of it; for a subscription, an async iterable of objects with the
 * field. (It is declared as a method, so that resolvers can declare their own types of parameters.)
 */
export type GraphQLFieldResolver = {
  resolve(parent: unknown, args: Readonly<Record<string, unknown>>, context: unknown, info: unknown): unknown
}['resolve']

/** The resolvers of an object type's fields, by name. For a subscription, also `{ subscribe, resolve }`. */
export type GraphQLTypeResolvers = Readonly<
  Record<string, GraphQLFieldResolver | { subscribe?: GraphQLFieldResolver; resolve?: GraphQLFieldResolver }>
>

/**
 * Resolvers by the names of types, as in Apollo Server and GraphQL Tools: the fields of an object type, a
 * `GraphQLScalarType` for a scalar, the internal values of an enum, and `__resolveType` for an interface or a union.
 */
export type GraphQLResolvers = Readonly<Record<string, GraphQLTypeResolvers | object>>
