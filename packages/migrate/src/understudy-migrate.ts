#!/usr/bin/env node
import { runMigration } from './run-migration.ts'

process.exitCode = await runMigration(process.argv.slice(2))
