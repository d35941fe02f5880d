// Storybook's packages are ES modules, which Jest loads only if it compiles them.
const compile = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
    },
    module: { type: 'commonjs' },
  },
]

export default {
  testEnvironment: '@understudy/engine/jest-jsdom',
  setupFilesAfterEnv: ['<rootDir>/jest.setup.ts'],
  testMatch: ['<rootDir>/src/**/*.jest.tsx'],
  transform: { '\\.[jt]sx?$': compile, '\\.mjs$': compile },
  transformIgnorePatterns: [],
}
