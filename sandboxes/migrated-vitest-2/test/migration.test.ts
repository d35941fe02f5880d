import { join } from 'node:path'

import { checkMigration } from '../../../test/migration/check-migration.ts'
import { runVitestSuite } from '../../../test/migration/run-suite.ts'

checkMigration({
  sandbox: 'migrated-vitest-2',
  tests: 20,
  isMigratedByCommand: true,
  run: (folder) => runVitestSuite(join(import.meta.dirname, '../node_modules/vitest/vitest.mjs'), folder),
})
