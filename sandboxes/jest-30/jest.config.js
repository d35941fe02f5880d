module.exports = {
  testEnvironment: '@understudy/engine/jest-jsdom',
  setupFilesAfterEnv: ['./jest.setup.ts'],
}
