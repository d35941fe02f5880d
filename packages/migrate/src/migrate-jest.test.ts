import { expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'

const base = {
  'package.json': '{ "devDependencies": { "msw": "^2.14.0", "jest": "^30.0.0" } }\n',
  'src/server.ts': "import { setupServer } from 'msw/node'\nexport const server = setupServer()\n",
}

const configure = async (
  text: string,
  file = 'jest.config.js',
): Promise<[config: string | undefined, output: string]> => {
  const { files, output } = await migrateFiles({ ...base, [file]: text })
  return [files[file], output]
}

test.for([
  [
    'the environment that MSW recommends',
    "module.exports = {\n  testEnvironment: 'jest-fixed-jsdom',\n}\n",
    "module.exports = {\n  testEnvironmentOptions: { customExportConditions: ['@understudy/jest'] },\n  testEnvironment: 'jest-fixed-jsdom',\n}\n",
  ],
  [
    'Node, the default of Jest',
    "export default { setupFilesAfterEnv: ['./setup.ts'] }\n",
    "export default { testEnvironmentOptions: { customExportConditions: ['@understudy/jest', 'node', 'node-addons'] }, setupFilesAfterEnv: ['./setup.ts'] }\n",
  ],
  // MSW 1 needs nothing that jsdom lacks.
  [
    'jsdom as for MSW 1',
    "module.exports = { testEnvironment: 'jest-environment-jsdom' }\n",
    "module.exports = { testEnvironment: '@understudy/engine/jest-jsdom' }\n",
  ],
  [
    'jsdom and options for MSW 1',
    'export default { testEnvironment: "jsdom", testEnvironmentOptions: { url: "http://a.test" } }\n',
    'export default { testEnvironment: "@understudy/engine/jest-jsdom", testEnvironmentOptions: { url: "http://a.test" } }\n',
  ],
  [
    'the presets of ts-jest, which set no environment',
    "module.exports = { preset: 'ts-jest', testEnvironment: 'jsdom' }\n",
    "module.exports = { preset: 'ts-jest', testEnvironment: '@understudy/engine/jest-jsdom' }\n",
  ],
  [
    'the presets of ts-jest and Node',
    "module.exports = { preset: 'ts-jest/presets/js-with-ts' }\n",
    "module.exports = { testEnvironmentOptions: { customExportConditions: ['@understudy/jest', 'node', 'node-addons'] }, preset: 'ts-jest/presets/js-with-ts' }\n",
  ],
  [
    "the list of conditions in MSW's guide",
    "module.exports = {\n  testEnvironment: 'jsdom',\n  testEnvironmentOptions: { customExportConditions: [''] },\n}\n",
    "module.exports = {\n  testEnvironment: 'jsdom',\n  testEnvironmentOptions: { customExportConditions: ['@understudy/jest'] },\n}\n",
  ],
  [
    'other conditions, and other options',
    "module.exports = { testEnvironmentOptions: { url: 'http://a.test', customExportConditions: ['node'] } }\n",
    "module.exports = { testEnvironmentOptions: { url: 'http://a.test', customExportConditions: ['@understudy/jest', 'node'] } }\n",
  ],
  [
    'projects that are written here, which get nothing from the object around them',
    "module.exports = { testEnvironmentOptions: { customExportConditions: [''] }, projects: [{ testEnvironment: 'jsdom' }, { displayName: 'server' }, { ...base, testEnvironment: 'jest-fixed-jsdom' }] }\n",
    "module.exports = { testEnvironmentOptions: { customExportConditions: [''] }, projects: [{ testEnvironment: '@understudy/engine/jest-jsdom' }, { testEnvironmentOptions: { customExportConditions: ['@understudy/jest', 'node', 'node-addons'] }, displayName: 'server' }, { testEnvironmentOptions: { customExportConditions: ['@understudy/jest'] }, ...base, testEnvironment: 'jest-fixed-jsdom' }] }\n",
  ],
  [
    'options without conditions',
    "const config: Config = { testEnvironment: 'jest-fixed-jsdom', testEnvironmentOptions: { url: 'http://a.test' } }\nexport default config\n",
    "const config: Config = { testEnvironment: 'jest-fixed-jsdom', testEnvironmentOptions: { customExportConditions: ['@understudy/jest'], url: 'http://a.test' } }\nexport default config\n",
  ],
] as const)('Jest finds the engine with %s', async ([, before, after]) => {
  const [config, output] = await configure(before, before.includes(': Config') ? 'jest.config.ts' : 'jest.config.js')
  expect(config).toBe(after)
  expect(output).not.toContain('Jest finds the engine by a condition.')
  // A second run changes nothing.
  const [again] = await configure(after)
  expect(again).toBe(after)
})

test.for([
  ['an environment of another package', "module.exports = { testEnvironment: './own-environment.js' }\n"],
  ['a preset, which sets its own environment', "module.exports = { preset: 'react-native' }\n"],
  ['options that are not written here', 'module.exports = { testEnvironmentOptions: options }\n'],
  ['a configuration of another shape', 'module.exports = require("./base").create()\n'],
  ['projects', "module.exports = { projects: ['<rootDir>/a'] }\n"],
  ['one of several projects', "module.exports = { projects: [{ testEnvironment: 'jsdom' }, '<rootDir>/a'] }\n"],
  ['an environment that a spread may set', 'module.exports = { ...base, setupFiles: [] }\n'],
] as const)('says what to add to %s', async ([, text]) => {
  const [config, output] = await configure(text)
  expect(config).toBe(text)
  expect(output).toContain('jest.config.js\n    Jest finds the engine by a condition. Add "@understudy/jest" to')
})

test('the field "jest" of package.json gets the condition', async () => {
  const { files } = await migrateFiles({
    ...base,
    'package.json': `{
  "devDependencies": {
    "msw": "^2.14.0"
  },
  "jest": {
    "testEnvironment": "jest-fixed-jsdom"
  }
}
`,
  })
  expect(JSON.parse(files['package.json'] ?? '')).toMatchObject({
    jest: {
      testEnvironment: 'jest-fixed-jsdom',
      testEnvironmentOptions: { customExportConditions: ['@understudy/jest'] },
    },
  })
})

test('the projects of the field "jest" get the condition', async () => {
  const jest = { projects: [{ testEnvironment: 'jsdom' }, { displayName: 'server' }] }
  const { files } = await migrateFiles({
    ...base,
    'package.json': JSON.stringify({ devDependencies: { msw: '2' }, jest }),
  })
  expect(JSON.parse(files['package.json'] ?? '')).toMatchObject({
    jest: {
      projects: [
        { testEnvironment: '@understudy/engine/jest-jsdom' },
        { testEnvironmentOptions: { customExportConditions: ['@understudy/jest', 'node', 'node-addons'] } },
      ],
    },
  })
})

test('the field "jest" of package.json gets the environment for jsdom', async () => {
  const jest = { preset: 'ts-jest', testEnvironment: 'jsdom', testEnvironmentOptions: { url: 'http://a.test' } }
  const { files } = await migrateFiles({
    ...base,
    'package.json': JSON.stringify({ devDependencies: { msw: '^1.3.0', jest: '^29.0.0' }, jest }),
  })
  expect(JSON.parse(files['package.json'] ?? '')).toMatchObject({
    jest: { ...jest, testEnvironment: '@understudy/engine/jest-jsdom' },
  })
})

test.for([
  ['Jest without a configuration', { jest: '^29.7.0' }, 'Jest finds the engine by a condition. Add "@understudy/jest"'],
  ['Jest 27', { jest: '^27.5.1' }, 'The engine needs Jest 28 or later, because earlier versions do not read'],
  [
    'Create React App',
    { 'react-scripts': '5.0.1' },
    'The engine needs Jest 28 or later, because earlier versions do not',
  ],
] as const)('says what to do with %s', async ([, devDependencies, note]) => {
  const { output } = await migrateFiles({
    ...base,
    'package.json': JSON.stringify({ devDependencies: { msw: '^1.3.0', ...devDependencies } }),
  })
  expect(output).toContain(`package.json\n    ${note}`)
})

test.for(['^28.0.0', '~29.7', '30', '>=29', 'latest', 'workspace:*'])('accepts Jest %s', async (jest) => {
  const { output } = await migrateFiles({
    ...base,
    'package.json': JSON.stringify({ devDependencies: { msw: '^1.3.0', jest }, jest: { testEnvironment: 'node' } }),
  })
  expect(output).not.toContain('Jest')
})

test('the environments of Understudy need no change', async () => {
  const text = "module.exports = { testEnvironment: '@understudy/engine/jest-jsdom' }\n"
  expect(await configure(text)).toEqual([text, expect.not.stringContaining('condition')])
})
