module.exports = {
  rootDir: __dirname,
  testEnvironment: 'jsdom',
  testEnvironmentOptions: { customExportConditions: [''] },
  setupFiles: ['<rootDir>/jest.polyfills.cjs'],
  setupFilesAfterEnv: ['<rootDir>/src/setup-tests.ts'],
  transform: { '\\.[jt]sx?$': ['babel-jest', { configFile: require.resolve('../babel.config.cjs') }] },
}
