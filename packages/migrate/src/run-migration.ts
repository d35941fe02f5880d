import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

import { createTwoFilesPatch } from 'diff'

import { isUsingMsw, migrate } from './migrate.ts'
import { Project, type FileChange, type Note } from './project.ts'
import { findUsers, findUsersOfSharedMocks } from './shared-mocks.ts'

const usage = `Usage: npx @understudy/engine migrate [folder] [--dry-run] [--yes]

Changes a project from MSW to Understudy: imports, configuration, start code, worker file and package.json.

  --dry-run  print the changes as a diff, and write nothing
  --yes      write without asking
  --help     print this text`

/** The terminal in which the command prints and asks. */
export interface Terminal {
  print(text: string): void
  printError(text: string): void
  /** @returns the typed text; `undefined` if the process has no terminal */
  ask(question: string): Promise<string | undefined>
}

/**
 * Runs the migration command.
 *
 * @param args as on the command line
 * @returns the exit code: 0 unless something failed or the changes were declined
 * @example
 * process.exitCode = await runMigration(['--dry-run'])
 */
export async function runMigration(args: readonly string[], terminal: Terminal = ownTerminal): Promise<number> {
  try {
    return await run(args, terminal)
  } catch (error) {
    terminal.printError(`Failed to migrate: ${(error as Error).message}`)
    return 1
  }
}

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean', short: 'y' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  })
  if (values.help) {
    terminal.print(usage)
    return 0
  }
  const root = resolve(positionals[0] ?? '.')
  const projects = openProjects(root)
  const engine = await readEngine()
  const users = findUsersOfSharedMocks(projects)
  const importing = findUsers(projects, isUsingMsw)
  for (const project of projects) {
    const isImporting = importing.has(project)
    const missing = migrate(project, { ...engine, isSharing: users.has(project), isImporting })
    if (missing.length > 0) project.note('package.json', `Install ${missing.join(' and ')} here.`)
  }
  const inRoot = (project: Project, file: string): string =>
    relative(root, join(project.root, file)).split(sep).join('/')
  const notes = removeDuplicates(
    projects.flatMap((project) => project.notes.map((note) => ({ ...note, file: inRoot(project, note.file) }))),
  )
  const changes = projects.flatMap((project) =>
    project.changes().map((change) => ({ ...change, file: inRoot(project, change.file) })),
  )
  if (changes.length === 0) {
    terminal.print('Nothing to change: no file of this project imports from "msw".')
    if (notes.length > 0) terminal.print(toNotes(notes))
    return 0
  }
  terminal.print(values['dry-run'] ? changes.map(toPatch).join('\n') : toSummary(changes))
  if (notes.length > 0) terminal.print(toNotes(notes))
  if (values['dry-run']) return 0
  if (!values.yes && !(await isAgreed(terminal))) return 1
  for (const change of changes) await write(root, change)
  terminal.print(`\nDone. Run your package manager's install command, for example: npm install\nThen review the diff.`)
  return 0
}

/** Opens the project in a folder, and each project below it with its own manifest, as in a monorepo. */
function openProjects(root: string): Project[] {
  const project = new Project(root)
  if (!project.has('package.json')) {
    throw new Error(
      `${root} has no package.json. Run the command in the folder of the project, or pass that folder. (US1003)`,
    )
  }
  return [project, ...project.nested.map((folder) => new Project(join(root, folder)))]
}

/** Removes notes that several projects have, as about the root of their workspace. */
function removeDuplicates(notes: readonly Note[]): Note[] {
  return [...new Map(notes.map((note) => [JSON.stringify([note.file, note.line, note.text]), note])).values()]
}

/** Reads Understudy's worker, and the version for the manifest, which all packages share. */
async function readEngine(): Promise<{ version: string; worker: string }> {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const worker = createRequire(import.meta.url).resolve('@understudy/engine/worker')
  return { version: manifest.version, worker: await readFile(worker, 'utf8') }
}

async function isAgreed(terminal: Terminal): Promise<boolean> {
  const answer = await terminal.ask('\nWrite these changes? [y/N] ')
  if (answer === undefined) {
    throw new Error(
      'the terminal is not interactive. Pass --yes to write the changes, or --dry-run to see them. (US1004)',
    )
  }
  if (/^y(?:es)?$/i.test(answer.trim())) return true
  terminal.print('Nothing was written.')
  return false
}

async function write(root: string, { file, after }: FileChange): Promise<void> {
  const path = join(root, file)
  if (after === undefined) return rm(path, { force: true })
  await mkdir(dirname(path), { recursive: true })
  return writeFile(path, after)
}

function toSummary(changes: readonly FileChange[]): string {
  const lines = changes.map(({ file, before, after }) => {
    const what = before === undefined ? 'create' : after === undefined ? 'delete' : 'change'
    return `  ${what}  ${file}`
  })
  return `${changes.length} ${changes.length === 1 ? 'file' : 'files'}:\n${lines.join('\n')}`
}

function toNotes(notes: readonly Note[]): string {
  const lines = notes.map(({ file, line, text }) => `  ${file}${line === undefined ? '' : `:${line}`}\n    ${text}`)
  return `\nCheck these places by hand:\n${lines.join('\n')}`
}

function toPatch({ file, before, after }: FileChange): string {
  if (after === undefined) return `Delete ${file}\n`
  if (before === undefined && file.endsWith('understudy-worker.js')) return `Create ${file}\n`
  return createTwoFilesPatch(file, file, before ?? '', after, undefined, undefined, { context: 2 })
}

const ownTerminal: Terminal = {
  print: (text) => {
    console.log(text)
  },
  printError: (text) => {
    console.error(text)
  },
  ask: async (question) => {
    if (!process.stdin.isTTY) return undefined
    const lines = createInterface({ input: process.stdin, output: process.stdout })
    try {
      return await lines.question(question)
    } finally {
      lines.close()
    }
  },
}
