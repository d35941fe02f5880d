import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { findPort } from '../../../test/acceptance/run-tool.ts'
import { checkMigration } from '../../../test/migration/check-migration.ts'
import { runPlaywrightSuite } from '../../../test/migration/run-suite.ts'

const run = promisify(execFile)
const modules = join(import.meta.dirname, '../node_modules')

checkMigration({
  sandbox: 'migrated-playwright',
  deleted: ['public/mockServiceWorker.js', 'src/mocks/browser.ts'],
  tests: 10,
  async prepare(folder) {
    await run(process.execPath, [join(modules, 'msw/cli/index.js'), 'init', 'public', '--no-save'], { cwd: folder })
  },
  async run(folder) {
    return runPlaywrightSuite(join(modules, '@playwright/test/cli.js'), folder, await findPort())
  },
})
