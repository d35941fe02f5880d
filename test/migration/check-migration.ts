import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { runMigration } from '../../packages/migrate/src/run-migration.ts'
import { createHeavyProject, repository, type Project } from '../acceptance/project.ts'
import { moveFromMsw } from '../docs/move-from-msw.ts'
import {
  writeSetUp,
  isImportChange,
  listChanges,
  printChanges,
  readFiles,
  uninstall,
  type FileChange,
} from './migrate.ts'
import type { SuiteRun } from './run-suite.ts'

/** A project written for MSW, and its migration by the guide. */
export interface Migration {
  /** The folder in `sandboxes`. */
  readonly sandbox: string
  /** The project's folder in the sandbox, if the sandbox has several. */
  readonly project?: string
  /** The files that the guide says to delete. */
  readonly deleted?: readonly string[]
  /** The packages that the guide says to uninstall. Default: `['msw']`. */
  readonly uninstalled?: readonly string[]
  /** The number of the project's tests. */
  readonly tests: number
  /** Prepares the project before its tests run with MSW, for example copies MSW's worker file. */
  prepare?(folder: string): Promise<void>
  /** Runs the command that the guide requires after the packages were changed. */
  prepareMigrated?(folder: string): Promise<void>
  /** Whether the tests must pass after the command without an edit by hand. Default: the command names the edits. */
  readonly isMigratedByCommand?: boolean
  /** Runs the project's tests with the real tool. */
  run(folder: string): Promise<SuiteRun>
}

/**
 * Runs a project's tests with MSW, migrates the project, runs them again, and compares. The code of the migration
 * command changes the imports. The folder `test/after` or `test/<project>/after` of the sandbox contains the set-up
 * files, written by hand as in the guide. The command migrates another copy. If it requires no edit by hand, the tests
 * of that copy must pass, too.
 */
export function checkMigration(migration: Migration): void {
  const { sandbox, project: part = '.', deleted = [], uninstalled = ['msw'] } = migration
  const tests = join(repository, 'sandboxes', sandbox, 'test', part)

  describe(`the project ${part === '.' ? sandbox : part}`, () => {
    let project: Project
    let before: SuiteRun
    let after: SuiteRun
    let setUp: ReadonlyMap<string, string>
    let changes: readonly FileChange[]

    beforeAll(async () => {
      project = await createHeavyProject(sandbox)
      const folder = join(project.folder, part)
      await migration.prepare?.(folder)
      const written = await readFiles(folder)
      before = await migration.run(folder)
      // Files that a run creates, such as a cache, are not changes of the migration.
      for (const path of (await readFiles(folder)).keys()) if (!written.has(path)) await rm(join(folder, path))
      setUp = await readFiles(join(tests, 'after'))
      await moveFromMsw(folder)
      await writeSetUp(folder, setUp)
      for (const path of deleted) await rm(join(folder, path))
      changes = listChanges(written, await readFiles(folder))
      await migration.prepareMigrated?.(folder)
      for (const name of uninstalled) await uninstall(folder, name)
      after = await migration.run(folder)
      // Both runs start the project's tools, on a machine that may be busy.
    }, 400_000)
    afterAll(() => project.dispose())

    test('its tests pass with MSW', () => {
      expect(Object.keys(before.tests), before.output).toHaveLength(migration.tests)
      expect(failuresOf(before), before.output).toEqual([])
      expect(before.code, before.output).toBe(0)
    })

    test('the migration changes imports, and the set-up as in the guide', async () => {
      await expect(printChanges(changes)).toMatchFileSnapshot(join(tests, 'changes.txt'))
      const others = changes.filter(({ path }) => !setUp.has(path) && !deleted.includes(path))
      expect(others.filter((change) => !isImportChange(change))).toEqual([])
    })

    test('the same tests pass with Understudy', () => {
      expect(failuresOf(after), after.output).toEqual([])
      expect(after.tests, after.output).toEqual(before.tests)
      expect(after.code, after.output).toBe(0)
    })

    describe('the command migrates another copy', () => {
      let byCommand: Project
      let printed = ''

      beforeAll(async () => {
        byCommand = await createHeavyProject(sandbox)
        const folder = join(byCommand.folder, part)
        await migration.prepare?.(folder)
        const print = (text: string): void => void (printed += `${text}\n`)
        const terminal = { print, printError: print, ask: () => Promise.resolve(undefined) }
        expect(await runMigration([byCommand.folder, '--yes'], terminal), printed).toBe(0)
      })
      afterAll(() => byCommand.dispose())

      test('it changes the listed files, and names the listed places', async () => {
        await expect(printed).toMatchFileSnapshot(join(tests, 'command.txt'))
      })

      test.runIf(migration.isMigratedByCommand)(
        'the same tests pass, without an edit by hand',
        { timeout: 200_000 },
        async () => {
          const folder = join(byCommand.folder, part)
          for (const name of uninstalled) await uninstall(folder, name)
          const run = await migration.run(folder)
          expect(failuresOf(run), printed + run.output).toEqual([])
          expect(run.tests, printed + run.output).toEqual(before.tests)
          expect(run.code, printed + run.output).toBe(0)
        },
      )
    })
  })
}

const failuresOf = ({ tests }: SuiteRun): string[] => Object.keys(tests).filter((name) => tests[name] !== 'passed')
