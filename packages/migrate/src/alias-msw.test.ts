import { describe, expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'
import { handlers } from './testing/projects.ts'

const alias = 'npm:@understudy/msw@^0.1.0'

/** A project with packages beside `msw`. */
function projectWith(packages: Record<string, string>, scripts?: Record<string, string>): Record<string, string> {
  const manifest = { ...(scripts && { scripts }), devDependencies: { ...packages, msw: '^2.0.0' } }
  return { 'package.json': `${JSON.stringify(manifest)}\n`, 'src/mocks/handlers.ts': handlers }
}

const manifestOf = (files: Record<string, string>): unknown => JSON.parse(files['package.json'] ?? '')

describe('packages that need "msw" get the alias', () => {
  test.each([
    '@mswjs/data',
    '@msw/source',
    'openapi-msw',
    '@kubb/plugin-msw',
    '@graphql-codegen/typescript-msw',
    'msw-auto-mock',
  ])('%s', async (name) => {
    const { files, output } = await migrateFiles(projectWith({ [name]: '1.0.0' }))
    expect(manifestOf(files)).toEqual({
      devDependencies: { [name]: '1.0.0', '@understudy/engine': '^0.1.0', msw: alias },
      overrides: { msw: '$msw' },
    })
    expect(output).toContain(`Code of ${name} imports from "msw"`)
  })

  const orval = (output: string): string => `export default { a: { output: ${output} } }\n`
  const heyApi = (plugin: string): string => `export default { plugins: ['zod', ${plugin}] }\n`

  test.each([
    ['orval', 'orval.config.ts', orval('{ mock: true }')],
    ['orval', 'tools/orval.config.mjs', orval("{ mock: { type: 'msw' } }")],
    ['orval', 'orval.config.js', orval('{ mock }')],
    ['@hey-api/openapi-ts', 'openapi-ts.config.ts', heyApi("'msw'")],
    ['@hey-api/openapi-ts', 'api/openapi-ts.config.ts', heyApi("{ name: 'msw' }")],
  ])('%s with %s: %s', async (name, path, text) => {
    const { files, output } = await migrateFiles({ ...projectWith({ [name]: '1.0.0' }), [path]: text })
    expect(files['package.json']).toContain(alias)
    expect(files[path]).toBe(text)
    expect(output).not.toContain('still names')
  })

  test.each([
    ['orval', 'orval.config.ts', orval("{ client: 'fetch' }")],
    ['orval', 'orval.config.ts', orval('{ mock: false }')],
    ['orval', 'orval.config.ts', orval('{ mock:false }')],
    ['@hey-api/openapi-ts', 'openapi-ts.config.ts', heyApi("'sdk'")],
    ['other', 'orval.config.ts', orval('{ mock: true }')],
  ])('not %s with %s: %s', async (name, path, text) => {
    const { files } = await migrateFiles({ ...projectWith({ [name]: '1.0.0' }), [path]: text })
    expect(files['package.json']).not.toContain(alias)
  })

  test.each([
    ['orval', 'orval --input a.yaml --mock'],
    ['@hey-api/openapi-ts', 'openapi-ts -i a.yaml -o src -p msw'],
    ['@hey-api/openapi-ts', 'tsc && npx openapi-ts -i a.yaml --plugins @hey-api/sdk msw && tsc'],
  ])('%s, if a script asks for handlers: %s', async (name, script) => {
    const { files } = await migrateFiles(projectWith({ [name]: '1.0.0' }, { api: script }))
    expect(files['package.json']).toContain(alias)
  })

  test.each([
    ['orval', 'orval --input a.yaml && vitest --mock'],
    ['@hey-api/openapi-ts', 'openapi-ts -i a.yaml -p zod && msw init public'],
    ['@hey-api/openapi-ts', 'openapi-ts -i msw -o src'],
  ])('not %s, if a script does not: %s', async (name, script) => {
    const { files } = await migrateFiles(projectWith({ [name]: '1.0.0' }, { api: script }))
    expect(files['package.json']).not.toContain(alias)
  })

  test('a note names the configuration of a generator in a project without the alias', async () => {
    const { output } = await migrateFiles({
      'package.json': '{ "devDependencies": { "@hey-api/openapi-ts": "0.99.0" } }\n',
      'openapi-ts.config.ts': heyApi("'msw'"),
    })
    expect(output).toContain("This file still names 'msw'.")
  })
})

describe('the alias applies to all packages', () => {
  const data = projectWith({ '@mswjs/data': '1.0.0' })

  test('by "resolutions" in Yarn', async () => {
    const { files } = await migrateFiles({ ...data, 'yarn.lock': '' })
    expect(manifestOf(files)).toMatchObject({ resolutions: { msw: alias }, devDependencies: { msw: alias } })
    expect(manifestOf(files)).not.toHaveProperty('overrides')
  })

  test.each([
    ['a new file', undefined, `packages:\n  - .\noverrides:\n  msw: ${alias}\n`],
    ['a file without overrides', 'packages:\n  - apps/*', `packages:\n  - apps/*\noverrides:\n  msw: ${alias}\n`],
    ['a list of overrides', 'overrides:\n    a: 1\n', `overrides:\n    msw: ${alias}\n    a: 1\n`],
    ['a version of msw', 'overrides:\n  msw: 2.7.0\n', `overrides:\n  msw: ${alias}\n`],
  ])('by pnpm-workspace.yaml in pnpm: %s', async (_name, before, after) => {
    const workspace = before === undefined ? {} : { 'pnpm-workspace.yaml': before }
    const { files } = await migrateFiles({ ...data, 'pnpm-lock.yaml': '', ...workspace })
    expect(files['pnpm-workspace.yaml']).toBe(after)
    expect(manifestOf(files)).not.toHaveProperty('overrides')
  })

  test('by a note if the file of pnpm has another form', async () => {
    const workspace = '{ packages: [a] }\n'
    const { files, output } = await migrateFiles({ ...data, 'pnpm-workspace.yaml': workspace })
    expect(files['pnpm-workspace.yaml']).toBe(workspace)
    expect(output).toContain(`Add "msw: ${alias}" to "overrides" in this file`)
  })

  test.each([
    ['pnpm 9', { packageManager: 'pnpm@9.15.0+sha512.a' }, {}],
    ['pnpm 9 beside a workspace file', { packageManager: 'pnpm@9.15.0' }, { 'pnpm-workspace.yaml': 'packages: [a]\n' }],
    ['pnpm 8, by its lockfile', {}, { 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n" }],
    ['pnpm 10, if the manifest has overrides', { pnpm: { overrides: { a: '1' } } }, {}],
    [
      'pnpm 10 with a workspace file, if the manifest has overrides',
      { packageManager: 'pnpm@10.1.0', pnpm: { overrides: { a: '1' }, patchedDependencies: {} } },
      { 'pnpm-workspace.yaml': 'packages:\n  - a\noverrides:\n  b: 1\n' },
    ],
  ])('by "pnpm" in the manifest in %s', async (_name, fields: Record<string, object | string>, workspace) => {
    const manifest = { ...fields, devDependencies: { '@mswjs/data': '1.0.0', msw: '2.0.0' } }
    const before = { 'pnpm-lock.yaml': "lockfileVersion: '9.0'\n", ...workspace }
    const { files } = await migrateFiles({ ...before, 'package.json': JSON.stringify(manifest) })
    const { pnpm } = fields as { pnpm?: { overrides: Record<string, string> } }
    expect(manifestOf(files)).toHaveProperty('pnpm', { ...pnpm, overrides: { ...pnpm?.overrides, msw: alias } })
    expect(files).toMatchObject(before)
    expect(Object.keys(files).toSorted()).toEqual([...Object.keys(before), 'package.json'].toSorted())
  })

  test('by pnpm-workspace.yaml in pnpm 11, because it ignores the manifest', async () => {
    const manifest = {
      packageManager: 'pnpm@11.0.0',
      pnpm: { overrides: { a: '1' } },
      devDependencies: { '@mswjs/data': '1', msw: '2' },
    }
    const { files } = await migrateFiles({
      'package.json': JSON.stringify(manifest),
      'pnpm-workspace.yaml': 'overrides:\n  b: 1\n',
    })
    expect(files['pnpm-workspace.yaml']).toBe(`overrides:\n  msw: ${alias}\n  b: 1\n`)
    expect(manifestOf(files)).toHaveProperty('pnpm', manifest.pnpm)
  })

  test('in the form of the declared package manager, whatever lockfiles remain', async () => {
    const remaining = { 'yarn.lock': '', 'package-lock.json': '{}', 'pnpm-lock.yaml': '' }
    for (const [packageManager, field] of [
      ['npm@11.0.0', 'overrides'],
      ['bun@1.3.0', 'overrides'],
      ['yarn@4.0.0', 'resolutions'],
    ]) {
      const manifest = { packageManager, devDependencies: { '@mswjs/data': '1.0.0', msw: '2.0.0' } }
      const { files } = await migrateFiles({ ...remaining, 'package.json': JSON.stringify(manifest) })
      expect(manifestOf(files), packageManager).toHaveProperty(field ?? '')
      expect(Object.keys(files).toSorted()).toEqual([...Object.keys(remaining), 'package.json'].toSorted())
    }
  })

  test.each(['bun.lockb', 'bun.lock', 'npm-shrinkwrap.json'])('in a workspace below %s, too', async (lockfile) => {
    const { files, output } = await migrateFiles({
      'package.json': '{}\n',
      [lockfile]: '',
      'apps/web/package.json': data['package.json'] ?? '',
    })
    expect(files['apps/web/package.json']).not.toContain('overrides')
    expect(output).toContain(`Add "overrides": { "msw": "${alias}" } to this file, because`)
  })

  test('by one note about the root for all workspaces', async () => {
    const { output } = await migrateFiles({
      'package.json': '{}\n',
      'yarn.lock': '',
      'apps/a/package.json': data['package.json'] ?? '',
      'apps/b/package.json': data['package.json'] ?? '',
    })
    expect(output.split('\n').filter((line) => line.includes('Add "resolutions"'))).toHaveLength(1)
    expect(output).toContain('\n  package.json\n    Add "resolutions"')
  })

  test.each([
    ['package-lock.json', `"overrides": { "msw": "${alias}" }`],
    ['yarn.lock', `"resolutions": { "msw": "${alias}" }`],
    ['pnpm-workspace.yaml', `pnpm-workspace.yaml\n    Add "msw: ${alias}" to "overrides"`],
  ])('by a note in a workspace below %s, because its root has to name it', async (lockfile, expected) => {
    const { files, output } = await migrateFiles({
      'package.json': '{}\n',
      [lockfile]: '',
      ...Object.fromEntries(Object.entries(data).map(([path, text]) => [`apps/web/${path}`, text])),
    })
    expect(JSON.parse(files['apps/web/package.json'] ?? '')).toEqual({
      devDependencies: { '@mswjs/data': '1.0.0', '@understudy/engine': '^0.1.0', msw: alias },
    })
    expect(output).toContain(expected)
  })
})
