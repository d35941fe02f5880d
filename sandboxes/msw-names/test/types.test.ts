/** Tests that the patterns of MSW's documentation, which compile with the types of MSW, compile with those of Understudy. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

const run = promisify(execFile)
const sandbox = join(import.meta.dirname, '..')
const root = join(sandbox, '../..')

const compilers = [
  ['TypeScript 7', join(root, 'node_modules/typescript/bin/tsc')],
  ['TypeScript 5.9', join(root, 'test/types/node_modules/typescript/bin/tsc')],
] as const

const files = ['patterns.ts', 'msw-2-only.ts'] as const

/** The entries of a library that the files import. MSW 2 has GraphQL in its main entry. */
const libraries = {
  'msw-2': { files, name: (subpath: string) => `msw-2${subpath === '/graphql' ? '' : subpath}` },
  'msw-3': { files: [files[0]], name: (subpath: string) => `msw-3${subpath}` },
  '@understudy/msw': { files, name: (subpath: string) => `@understudy/msw${subpath}` },
  '@understudy/engine': {
    files,
    name: (subpath: string) => `@understudy/engine${subpath === '/graphql' ? '' : subpath}`,
  },
}

type Library = keyof typeof libraries

/** Returns a compiler's errors for the files with the types of each library, in one run of the compiler. */
async function compile(compiler: string, names: readonly Library[], isExact: boolean): Promise<string[]> {
  // Inside of the sandbox, where the libraries are installed.
  const folder = await mkdtemp(join(sandbox, '.types-'))
  try {
    for (const library of names) {
      await mkdir(join(folder, toFolder(library)))
      for (const file of libraries[library].files) {
        const text = await readFile(join(sandbox, 'types', file), 'utf8')
        const named = text.replaceAll(
          /'msw(\/\w+)?'/g,
          (_all, subpath: string = '') => `'${libraries[library].name(subpath)}'`,
        )
        await writeFile(join(folder, toFolder(library), file), `${named}${mistake}\n`)
      }
    }
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: 'esnext',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['esnext', 'dom', 'dom.iterable'],
      types: [],
      skipLibCheck: true,
      exactOptionalPropertyTypes: isExact,
      noUncheckedIndexedAccess: isExact,
      noPropertyAccessFromIndexSignature: isExact,
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/*.ts'] }))
    const args = [compiler, '-p', folder, '--pretty', 'false']
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error: { stdout: string }) => error)
    return stdout.split('\n').filter((line) => line.includes('error TS'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function toFolder(library: Library): string {
  return library.replaceAll(/\W/g, '-')
}

/** A mistake in each compiled file shows that the compiler has read it. */
const mistake = 'export const mistake: number = HttpResponse.json({})'

// That a pattern is one of MSW does not depend on the compiler.
const ours: Library[] = ['@understudy/msw', '@understudy/engine']
const all: Library[] = ['msw-2', 'msw-3', ...ours]

test.for(
  compilers.flatMap(([compiler, path], index) =>
    [true, false].map((isExact) => {
      const names = isExact && index === 0 ? all : ours
      return { compiler, path, isExact, names, list: names.join(', ') }
    }),
  ),
)('$compiler accepts the patterns with $list, exact optional properties: $isExact', async (each) => {
  const errors = await compile(each.path, each.names, each.isExact)
  expect(errors.filter((line) => !/error TS2322: .* is not assignable to type 'number'\.$/.test(line))).toEqual([])
  for (const library of each.names) {
    const found = errors.filter((line) => line.startsWith(`${toFolder(library)}/`))
    expect(found, library).toHaveLength(libraries[library].files.length)
  }
})
