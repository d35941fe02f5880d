/**
 * `npm run docs:errors`: writes the messages of the sources into the pages of their codes, and the list of codes. The rest of
 * a page (cause, example, fix) is written by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { readErrorPages, withCodes, withMessages } from './error-pages.ts'
import { readErrorSites } from './read-error-sites.ts'

const root = resolve(import.meta.dirname, '../..')
const { sites } = readErrorSites(root)
const pages = readErrorPages(root)
for (const page of pages) writeFileSync(join(root, page.file), withMessages(page, sites))
const list = join(root, 'docs/error-codes.md')
writeFileSync(list, withCodes(readFileSync(list, 'utf8'), pages))
