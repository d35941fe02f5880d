import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, posix } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { listLinkedPages, stageMarkdown } from '../release/stage-markdown.ts'
import { listMissing, stagePackages, type StagedPackage } from '../release/stage-packages.ts'

describe('links of a package', () => {
  const places = new Map([
    ['packages/engine/README.md', 'README.md'],
    ['docs/vite.md', 'docs/vite.md'],
    ['docs/recipes/crud.md', 'docs/recipes/crud.md'],
  ])
  const addresses = { repository: 'https://forge.example/understudy', homepage: 'https://understudy.example' }
  const from = 'packages/engine/README.md'

  test('lead to the pages that it contains', () => {
    expect(stageMarkdown('[Vite](../../docs/vite.md#options)', from, places, {})).toBe('[Vite](docs/vite.md#options)')
    expect(stageMarkdown('[Vite](../vite.md)', 'docs/recipes/crud.md', places, {})).toBe('[Vite](../vite.md)')
  })

  test('lead to the site and the forge for pages that it does not contain', () => {
    expect(stageMarkdown('[Jest](../../docs/jest.md#a)', from, places, addresses)).toBe(
      '[Jest](https://understudy.example/jest.html#a)',
    )
    expect(stageMarkdown('[a sandbox](../../sandboxes/jest-30)', from, places, addresses)).toBe(
      '[a sandbox](https://forge.example/understudy/blob/main/sandboxes/jest-30)',
    )
    expect(stageMarkdown('![Panel](../../docs/images/panel.png)', from, places, addresses)).toBe(
      '![Panel](https://forge.example/understudy/raw/main/docs/images/panel.png)',
    )
  })

  test('become text while the project has no address', () => {
    expect(stageMarkdown('See [Jest](../../docs/jest.md).\n![Panel](../../docs/a.png)', from, places, {})).toBe(
      'See Jest.\n',
    )
  })

  test('do not change if they lead elsewhere', () => {
    const text = '[a](https://example.com) [b](#options) [c](mailto:a@example.com)'
    expect(stageMarkdown(text, from, places, addresses)).toBe(text)
  })

  test('are found, and tests of examples are left out', () => {
    const text = '[a](../../docs/vite.md#x) [b](../../README.md)\n<!-- test\n[c](../../docs/jest.md)\n-->\n'
    expect(listLinkedPages(text, from)).toEqual(['docs/vite.md'])
    expect(stageMarkdown(text, from, places, {})).not.toContain('test')
  })
})

test('a release needs all three addresses', () => {
  expect(listMissing({})).toEqual(['repository', 'homepage', 'bugs'])
  expect(listMissing({ homepage: 'https://understudy.example' })).toEqual(['repository', 'bugs'])
})

describe('the packages as they are published', () => {
  const origin = {
    repository: { type: 'git', url: 'git+https://forge.example/understudy.git' },
    homepage: 'https://understudy.example',
    bugs: { url: 'https://forge.example/understudy/issues' },
  }
  let folder: string
  let packages: StagedPackage[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'understudy-staged-'))
    packages = await stagePackages(folder, origin)
  })

  afterAll(async () => {
    await rm(folder, { recursive: true })
  })

  test('are published after their dependencies, and have one version', () => {
    const names = packages.map(({ name }) => name)
    expect(names[0]).toBe('@understudy/engine')
    expect(names.indexOf('@understudy/panel')).toBeLessThan(names.indexOf('@understudy/vite-plugin'))
    expect(new Set(packages.map(({ version }) => version)).size).toBe(1)
  })

  test('have the addresses of the project', () => {
    for (const { folder: own } of packages) {
      const manifest: unknown = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
      const repository = { ...origin.repository, directory: `packages/${basename(own)}` }
      expect(manifest).toMatchObject({ ...origin, repository, publishConfig: { access: 'public' } })
    }
  })

  test('have a README, a changelog and a license', () => {
    for (const { folder: own } of packages) {
      expect(globSync('*.md', { cwd: own })).toEqual(expect.arrayContaining(['CHANGELOG.md', 'README.md']))
      expect(globSync('LICENSE', { cwd: own })).toHaveLength(1)
    }
  })

  test('contain the licenses of the packages that they bundle', () => {
    const licensed = packages.flatMap(({ folder: own }) =>
      globSync('dist/**/*licenses.txt', { cwd: own }).map((file) => {
        const text = readFileSync(join(own, file), 'utf8')
        return [
          `${basename(own)}/${file.replaceAll('\\', '/')}`,
          [...text.matchAll(/^(\S+) \d+\.\d+\.\d+ \(/gm)].map(([, name]) => name),
        ]
      }),
    )
    expect(Object.fromEntries(licensed)).toEqual({
      'engine/dist/for-jest/licenses.txt': ['cookie', 'path-to-regexp', 'tldts'],
      'engine/dist/for-node/licenses.txt': ['cookie', 'path-to-regexp'],
      'engine/dist/node/public-suffixes.licenses.txt': expect.arrayContaining(['tldts']),
      'panel/dist/page-script.licenses.txt': ['preact'],
      'panel/dist/save/handler-saving.licenses.txt': ['@babel/parser', 'diff'],
    })
  })

  test('contain every file that their Markdown links to', async () => {
    for (const { name, folder: own } of packages) {
      const files = globSync('**/*.md', { cwd: own }).map((file) => file.replaceAll('\\', '/'))
      for (const file of files) {
        const text = await readFile(join(own, file), 'utf8')
        for (const [, target = ''] of text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
          if (/^[a-z]+:/.test(target)) continue
          const place = posix.join(dirname(file), target)
          expect(globSync(place, { cwd: own }), `${name}: ${file} links to ${target}`).toHaveLength(1)
        }
      }
    }
  })

  test('teach coding agents: the engine has a skill and all pages', () => {
    const engine = packages[0]?.folder ?? ''
    expect(
      globSync('{SKILL.md,docs/{handlers,troubleshooting,vite}.md,docs/recipes/crud.md}', { cwd: engine }),
    ).toHaveLength(5)
    expect(readFileSync(join(engine, 'SKILL.md'), 'utf8')).not.toContain('<!-- test')
  })
})
