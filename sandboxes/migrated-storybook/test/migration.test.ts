import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { checkMigration } from '../../../test/migration/check-migration.ts'
import { runVitestSuite } from '../../../test/migration/run-suite.ts'

const run = promisify(execFile)
const modules = join(import.meta.dirname, '../node_modules')

checkMigration({
  sandbox: 'migrated-storybook',
  deleted: ['public/mockServiceWorker.js'],
  uninstalled: ['msw', 'msw-storybook-addon'],
  tests: 11,
  isMigratedByCommand: true,
  async prepare(folder) {
    await run(process.execPath, [join(modules, 'msw/cli/index.js'), 'init', 'public', '--no-save'], { cwd: folder })
  },
  run: (folder) => runVitestSuite(join(modules, 'vitest/vitest.mjs'), folder),
})
