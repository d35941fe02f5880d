export { runMigration, type Terminal } from './run-migration.ts'
