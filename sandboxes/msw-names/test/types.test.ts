/** Tests that the patterns of MSW's documentation, which compile with the types of MSW, compile with those of Understudy. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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

/** Returns a compiler's errors for the files with a library's types. */
async function compile(compiler: string, library: keyof typeof libraries, isExact: boolean): Promise<string> {
  const { files: names, name } = libraries[library]
  // Inside of the sandbox, where the libraries are installed.
  const folder = await mkdtemp(join(sandbox, '.types-'))
  try {
    for (const file of names) {
      const text = await readFile(join(sandbox, 'types', file), 'utf8')
      const named = text.replaceAll(/'msw(\/\w+)?'/g, (_all, subpath: string = '') => `'${name(subpath)}'`)
      await writeFile(join(folder, file), `${named}${mistake}\n`)
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
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }))
    const args = [compiler, '-p', folder, '--pretty', 'false']
    const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error: { stdout: string }) => error)
    return stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A mistake in each compiled file shows that the compiler has read it. */
const mistake = 'export const mistake: number = HttpResponse.json({})'

test.for(
  compilers.flatMap(([compiler, path]) =>
    [true, false].flatMap((isExact) =>
      (Object.keys(libraries) as (keyof typeof libraries)[]).map((library) => ({ compiler, path, isExact, library })),
    ),
  ),
)('$compiler accepts the patterns with $library, exact optional properties: $isExact', async (each) => {
  const output = await compile(each.path, each.library, each.isExact)
  const errors = output.split('\n').filter((line) => line.includes('error TS'))
  expect(errors.filter((line) => !/error TS2322: .* is not assignable to type 'number'\.$/.test(line))).toEqual([])
  expect(errors).toHaveLength(libraries[each.library].files.length)
})
