import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { build } from 'esbuild'
import { expect, test } from 'vitest'

import { toErrorPages } from '../../packages/engine/build.ts'

const repository = join(import.meta.dirname, '../..')
const homepage = 'https://understudy.example/docs'

/** Loads the module that creates all errors, as a build with a home page bundles it. */
async function loadFailures(pages: string): Promise<typeof import('../../packages/engine/src/core/failure.ts')> {
  const { outputFiles } = await build({
    entryPoints: [join(repository, 'packages/engine/src/core/failure.ts')],
    bundle: true,
    format: 'esm',
    define: { __UNDERSTUDY_ERROR_PAGES__: JSON.stringify(pages) },
    write: false,
  })
  const text = outputFiles[0]?.text ?? ''
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as never
}

test.each([homepage, `${homepage}/`])(
  'with the home page %s, a message links to the page of its code',
  async (address) => {
    const { failure, withCode } = await loadFailures(toErrorPages(address))
    const { message, code } = failure('US0104', 'add handlers', 'argument 1 is an array', 'Spread it.')
    expect(code).toBe('US0104')
    const link = /https:\S+/.exec(message)?.[0]
    expect(message).toBe(
      `Failed to add handlers: argument 1 is an array. Spread it. (US0104) ${homepage}/errors/US0104.html`,
    )
    // The page that the site builds from docs/errors/US0104.md.
    expect(existsSync(join(repository, 'docs', `${link?.slice(homepage.length, -'.html'.length) ?? ''}.md`))).toBe(true)
    expect(withCode('US0201', 'One line\nAnother line')).toBe(
      `One line (US0201) ${homepage}/errors/US0201.html\nAnother line`,
    )
  },
)

test('without a home page, a message ends with its code', async () => {
  const { withCode } = await loadFailures(toErrorPages(undefined))
  expect(withCode('US0104', 'A message.')).toBe('A message. (US0104)')
})
