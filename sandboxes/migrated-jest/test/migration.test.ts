import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { runTool } from '../../../test/acceptance/run-tool.ts'
import { checkMigration } from '../../../test/migration/check-migration.ts'
import { runJestSuite } from '../../../test/migration/run-suite.ts'

const jest = join(import.meta.dirname, '../node_modules/jest/bin/jest.js')

/** Builds the app, mocks included: the app imports them in development. */
async function build(folder: string): Promise<{ code: number | null; output: string }> {
  const script = join(folder, 'build.cjs')
  await writeFile(
    script,
    `require('webpack')(require('./webpack.config.cjs'), (error, stats) => {
  console.log(error ?? stats.toString())
  process.exitCode = error || stats.hasErrors() ? 1 : 0
})
`,
  )
  const tool = runTool(script, [], { folder })
  const code = await tool.exit
  await rm(script)
  await rm(join(folder, 'dist'), { recursive: true, force: true })
  return { code, output: tool.output }
}

checkMigration({
  sandbox: 'migrated-jest',
  project: 'redux-toolkit-query',
  tests: 16,
  isMigratedByCommand: true,
  run: (folder) => runJestSuite(jest, folder),
})

checkMigration({
  sandbox: 'migrated-jest',
  project: 'apollo-webpack',
  tests: 11,
  isMigratedByCommand: true,
  async run(folder) {
    const { code, output } = await build(folder)
    const suite = await runJestSuite(jest, folder)
    return {
      code: suite.code,
      output: output + suite.output,
      tests: { ...suite.tests, 'webpack builds the app': code === 0 ? 'passed' : 'failed' },
    }
  },
})
