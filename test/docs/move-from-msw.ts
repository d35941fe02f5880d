import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const page = resolve(import.meta.dirname, '../../docs/migrating-from-msw.md')

/**
 * Changes imports from `msw` into ours, by the very command that the migration page gives.
 *
 * @param folder holds the files; what is below `node_modules` is left alone
 */
export async function moveFromMsw(folder: string): Promise<void> {
  const command = /^```sh\n(grep [\s\S]+?)^```$/m.exec(await readFile(page, 'utf8'))?.[1]
  if (!command) throw new Error(`Failed to move from msw: ${page} has no command that begins with grep.`)
  // The page says `src`; here the examples of each page stand in a folder of their own.
  await run('sh', ['-c', command.replace(/ src(?= \|)/, ' .')], { cwd: join(folder) })
}
