import { expect, test } from 'vitest'

import { migrateFiles } from './testing/migrate-files.ts'

const code = `import { setupServer } from 'msw/node'\n\nexport const server = setupServer()\n`

function migrateProject(
  module: string,
  manifest: object = {},
  file = 'test/server.ts',
): ReturnType<typeof migrateFiles> {
  return migrateFiles({
    'package.json': JSON.stringify({ devDependencies: { msw: '^2.4.0', typescript: '^5.7.2' }, ...manifest }),
    'tsconfig.json': `{\n  // A comment.\n  "compilerOptions": {\n    "strict": true,\n    "module": "${module}"\n  }\n}\n`,
    [file]: code,
  })
}

test.each<[module: string, manifest: object, file: string]>([
  ['node16', {}, 'test/server.ts'],
  ['Node18', {}, 'test/server.tsx'],
  ['NodeNext', {}, 'test/server.ts'],
  ['node16', { type: 'module' }, 'test/server.cts'],
])('"module": "%s" with %o and %s gets a note, because TypeScript refuses the engine there', async (...given) => {
  const { output, files } = await migrateProject(...given)
  expect(output).toContain('tsconfig.json:5\n    With this "module", TypeScript reports TS1479')
  expect(files['tsconfig.json']).toContain(`"module": "${given[0]}"`)
})

test.each<[module: string, manifest: object, file: string]>([
  ['node16', { type: 'module' }, 'test/server.ts'],
  ['node16', {}, 'test/server.mts'],
  ['node16', {}, 'test/server.js'],
  ['nodenext', { devDependencies: { msw: '^2.4.0', typescript: '~5.8.0' } }, 'test/server.ts'],
  ['nodenext', { devDependencies: { msw: '^2.4.0', typescript: '7' } }, 'test/server.ts'],
  ['commonjs', {}, 'test/server.ts'],
  ['esnext', {}, 'test/server.ts'],
  ['node20', {}, 'test/server.ts'],
])('"module": "%s" with %o and %s gets no note', async (...given) => {
  const { output } = await migrateProject(...given)
  expect(output).not.toContain('TS1479')
})
