import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { afterAll, describe, expect, test, vi } from 'vitest'

import { toAnchor } from '../../site/anchors.ts'
import { ask } from './ask.ts'
import { createExampleProject, locate } from './example-project.ts'
import { findPages } from './find-pages.ts'
import { moveFromMsw } from './move-from-msw.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = new Map(findPages(root).map((page) => [page, readFileSync(join(root, page), 'utf8')]))
const project = await createExampleProject(pages, moveFromMsw)

Object.assign(globalThis, { ask, expect, vi })

afterAll(() => project.remove())

test('pages are well-formed', () => {
  expect(project.faults).toEqual([])
})

test('examples have no type errors', async () => {
  expect(await project.check()).toEqual([])
})

describe('examples pass their tests', () => {
  test.each(project.files.filter(({ isTested }) => isTested).map(({ name, path }) => [name, path]))(
    '%s',
    async (_name, path) => {
      const module: unknown = await import(/* @vite-ignore */ path).catch((error: unknown) => {
        throw locate(error, project)
      })
      expect(module).toBeTypeOf('object')
    },
  )
})

describe('links have targets', () => {
  test.each([...pages.keys()])('%s', async (page) => {
    const markdown = pages.get(page) ?? ''
    const broken: string[] = []
    for (const [, target = ''] of markdown.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [path = '', hash] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      // Generated: `npm run docs:build` checks these links.
      if (file.startsWith('docs/api/')) continue
      const text = await readFile(join(root, file), 'utf8').catch((error: NodeJS.ErrnoException) =>
        error.code === 'EISDIR' ? '' : undefined,
      )
      if (text === undefined || (hash && !anchorsOf(text).includes(hash))) broken.push(target)
    }
    expect(broken).toEqual([])
  })
})

/** Returns the anchors of a page's headings on the site and on forges. */
function anchorsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => toAnchor(heading))
}
