/** Reports banned phrases in all tracked text files: `npm run check:words`. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

import { findBannedPhrases } from './find-banned-phrases.ts'

const root = new URL('../../', import.meta.url)

/** Excludes the list of phrases, files that tools write, and licenses. */
const isExcluded = (file: string) =>
  file.startsWith('test/word-check/') || /(?:^|\/)(?:package-lock\.json|CHANGELOG\.md|LICENSE)$/.test(file)

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  .split('\0')
  .filter((file) => file && !isExcluded(file))

let count = 0
for (const file of files) {
  const text = readText(file)
  if (text === undefined) continue
  for (const { line, phrase, write } of findBannedPhrases(text)) {
    count += 1
    console.error(`${file}:${line} "${phrase}": write ${write}.`)
  }
}
if (count > 0) {
  console.error(
    `Failed to check words: found ${count} banned phrase(s), see above. ` +
      'Write the plain words, or add `word-check: allow "<phrase>", because <reason>` in a comment on the line or above it.',
  )
  process.exitCode = 1
}

/** Reads a tracked file. Returns `undefined` for a binary file and for one that is deleted but not committed. */
function readText(file: string): string | undefined {
  try {
    const text = readFileSync(new URL(file.split('/').map(encodeURIComponent).join('/'), root), 'utf8')
    return text.includes('\0') ? undefined : text
  } catch (error) {
    if (['ENOENT', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
