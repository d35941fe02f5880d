import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { readExamples, type Example } from './read-examples.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

/** An example as a file that can be checked and run. Its lines have the same numbers as in the page. */
interface ExampleFile {
  /** `docs/handlers.md:12`. */
  readonly name: string
  readonly path: string
  /** Whether the page has a test for it. */
  readonly isTested: boolean
}

/** The examples of some pages as a project that uses the packages. */
export interface ExampleProject {
  readonly folder: string
  readonly files: readonly ExampleFile[]
  /** The problems with the pages, before anything is compiled. */
  readonly faults: readonly string[]
  /** Checks all types. Returns the errors, each with page, line and column. */
  check(): Promise<string[]>
  remove(): Promise<void>
}

/**
 * Writes examples into a project outside the repository that uses the repository's packages.
 *
 * @param pages Markdown by name: `docs/handlers.md`
 * @param rewrite called with the folder after it was written. It may change files
 */
export async function createExampleProject(
  pages: ReadonlyMap<string, string>,
  rewrite: (folder: string) => Promise<void> = () => Promise.resolve(),
): Promise<ExampleProject> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'understudy-docs-')))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  await writeFile(join(folder, 'globals.d.ts'), globals)

  const files: ExampleFile[] = []
  const faults: string[] = []
  for (const [page, markdown] of pages) {
    const { examples, prelude, ...read } = readExamples(markdown, page)
    faults.push(...read.faults)
    for (const example of examples) {
      const path = join(folder, page, example.file ?? `line-${example.line}.${example.language}`)
      if (files.some((file) => file.path === path)) faults.push(`${page}:${example.line}: ${example.file} stands twice`)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, toModule(example, prelude))
      files.push({ name: `${page}:${example.line}`, path, isTested: example.test !== undefined })
    }
  }
  await rewrite(folder)

  return {
    folder,
    files,
    faults,
    async check() {
      const compiler = join(root, 'node_modules/typescript/bin/tsc')
      const { stdout } = await run(process.execPath, [compiler, '--pretty', 'false'], { cwd: folder }).catch(
        (error: { stdout: string }) => error,
      )
      // Skip the packages themselves, which have their own checks.
      return stdout.split('\n').flatMap((line) => {
        const [, file = '', at, message] = /^(.+?)\((\d+),\d+\): error (.+)$/.exec(line) ?? []
        if (!at || file.startsWith('..')) return []
        return [`${pageOf(files, join(folder, file)) ?? file}:${at}: ${message}`]
      })
    },
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Returns a module whose lines have the same numbers as in the page. */
function toModule({ line, code, test }: Example, prelude: string): string {
  const isOwn = /^import\b/m.test(code)
  const lines = [isOwn || code.includes(prelude) ? '' : prelude]
  lines[line - 1] ??= ''
  lines.splice(line - 1, 1, ...code.split('\n'))
  if (test) {
    lines[test.line - 1] ??= ''
    lines.splice(test.line - 1, 1, ...test.code.split('\n'))
  }
  // A file without imports or exports would share its global names with others.
  return `${Array.from(lines, (text: string | undefined) => text ?? '').join('\n')}\nexport {}\n`
}

function pageOf(files: readonly ExampleFile[], path: string): string | undefined {
  return files.find((file) => file.path === path)?.name.replace(/:\d+$/, '')
}

/**
 * Adds the position in the page to an error's message.
 *
 * @returns the same error
 */
export function locate(thrown: unknown, { files }: Pick<ExampleProject, 'files'>): unknown {
  if (!(thrown instanceof Error)) return thrown
  for (const frame of thrown.stack?.split('\n') ?? []) {
    const [, path, line] = /(\/[^\s()?]+)(?:\?[^:]*)?:(\d+):\d+\)?$/.exec(frame) ?? []
    const page = path && pageOf(files, path)
    if (!page) continue
    thrown.message = `${page}:${line}: ${thrown.message}`
    return thrown
  }
  return thrown
}

const tsconfig = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'preserve',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    allowImportingTsExtensions: true,
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    customConditions: ['@understudy/source'],
    types: ['node', 'vite/client', 'vitest/globals'],
  },
  include: ['**/*'],
}

/** The globals of tests in addition to Vitest's. */
const globals = `declare const ask: typeof import(${JSON.stringify(join(import.meta.dirname, 'ask.ts'))}).ask\n`
