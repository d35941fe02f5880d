/**
 * Runs Web Platform Tests without handlers and with handlers that pass every request through, and compares the results:
 *
 *     node test/wpt/start.ts [part of a page's URL…] [--mode real,passthrough,bypass,worker] [--tabs 4] [--update]
 *
 * `--mode` runs some of the modes and compares with the stored results of the others. `worker` is a plain service
 * worker: differences that it also has are not our bugs. `--update` writes all differences into the file of expected
 * differences. A new one gets no reason, and a difference without a reason fails.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { bringTests, resultsFolder } from './bring-tests.ts'
import { compare, readExpected, updateExpected, writeExpected } from './compare.ts'
import { modes, runTests, type Mode, type PageResults } from './run-tests.ts'
import { serveTests } from './serve-tests.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', default: 'real,passthrough' },
    tabs: { type: 'string', default: '4' },
    update: { type: 'boolean', default: false },
  },
})

const wanted = modes.filter((mode) => values.mode.split(',').includes(mode))
await mkdir(resultsFolder, { recursive: true })
const server = await serveTests(await bringTests())
const pages = server.pages.filter(
  ({ url }) => positionals.length === 0 || positionals.some((part) => url.includes(part)),
)
const results = {} as Record<Mode, Record<string, PageResults>>
for (const mode of modes) {
  const file = join(resultsFolder, `${mode}.json`)
  results[mode] = JSON.parse(await readFile(file, 'utf8').catch(() => '{}')) as Record<string, PageResults>
  if (!wanted.includes(mode)) continue
  const run = await runTests(server, mode, pages, Number(values.tabs))
  Object.assign(results[mode], Object.fromEntries(run))
  await writeFile(file, JSON.stringify(results[mode], null, 1))
}
server.close()

const urls = pages.map(({ url }) => url)
const expected = await readExpected()
let failures = 0
for (const mode of wanted.filter((each) => each !== 'real')) {
  const before = expected[mode] ?? {}
  const { differences, unexpected, subtests } = compare(results.real, results[mode], urls, before)
  console.log(
    `${mode}: ${urls.length} pages, ${subtests} subtests; ${differences.length} differ, ${unexpected.length} not as expected.`,
  )
  for (const line of unexpected) console.log(`  ${line}`)
  failures += unexpected.length
  if (values.update) expected[mode] = updateExpected(before, differences, urls)
}
if (values.update) await writeExpected(expected)
process.exitCode = failures === 0 ? 0 : 1
