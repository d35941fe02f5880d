import { checkMigration } from '../../../test/migration/check-migration.ts'
import { runNodeSuite } from '../../../test/migration/run-suite.ts'

checkMigration({
  sandbox: 'migrated-node',
  tests: 24,
  isMigratedByCommand: true,
  run: (folder) => runNodeSuite(folder, ['src/forecasts.test.ts', 'src/stations.test.ts', 'src/service.test.ts']),
})
