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

  test('orval, if its configuration asks for handlers', async () => {
    const project = projectWith({ orval: '8.0.0' })
    const withMock = { ...project, 'orval.config.ts': 'export default { a: { output: { mock: true } } }\n' }
    const without = { ...project, 'orval.config.ts': "export default { a: { output: { client: 'fetch' } } }\n" }
    expect((await migrateFiles(withMock)).files['package.json']).toContain(alias)
    expect((await migrateFiles(without)).files['package.json']).not.toContain(alias)
  })

  test('orval, if a script asks for handlers', async () => {
    const { files } = await migrateFiles(projectWith({ orval: '8.0.0' }, { api: 'orval --input a.yaml --mock' }))
    expect(files['package.json']).toContain(alias)
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
    ['a new file', undefined, `overrides:\n  msw: ${alias}\n`],
    ['a file without overrides', 'packages:\n  - apps/*', `packages:\n  - apps/*\noverrides:\n  msw: ${alias}\n`],
    ['a list of overrides', 'overrides:\n    a: 1\n', `overrides:\n    msw: ${alias}\n    a: 1\n`],
  ])('by pnpm-workspace.yaml in pnpm: %s', async (_name, before, after) => {
    const workspace = before === undefined ? {} : { 'pnpm-workspace.yaml': before }
    const { files } = await migrateFiles({ ...data, 'pnpm-lock.yaml': '', ...workspace })
    expect(files['pnpm-workspace.yaml']).toBe(after)
    expect(manifestOf(files)).not.toHaveProperty('overrides')
  })

  test('by a note if the file of pnpm has another form', async () => {
    const workspace = 'overrides: { a: 1 }\n'
    const { files, output } = await migrateFiles({ ...data, 'pnpm-workspace.yaml': workspace })
    expect(files['pnpm-workspace.yaml']).toBe(workspace)
    expect(output).toContain(`Add "msw: ${alias}" to "overrides" in the pnpm-workspace.yaml`)
  })

  test.each([
    ['package-lock.json', `"overrides": { "msw": "${alias}" }`],
    ['yarn.lock', `"resolutions": { "msw": "${alias}" }`],
    ['pnpm-workspace.yaml', `"msw: ${alias}" to "overrides"`],
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
