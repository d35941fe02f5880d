export default {
  schema: './schema.graphql',
  documents: './operations.graphql',
  generates: {
    '../.tmp/generated/codegen.ts': { plugins: ['typescript', 'typescript-operations', 'typescript-msw'] },
  },
}
