import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll } from 'vitest'

import { chromium } from '../acceptance/chromium.ts'
import { testPlayground } from '../acceptance/playground.ts'
import { repository } from '../acceptance/project.ts'
import { inFirefox } from '../firefox/firefox.ts'

const folder = join(repository, '.tmp/site-of-playground')

beforeAll(async () => {
  const args = ['site/start.ts', 'build', '--base', '/understudy/', '--outDir', folder]
  await promisify(execFile)(process.execPath, args, { cwd: repository, maxBuffer: 2 ** 26 }).catch(
    // Dead links and type errors are on the standard output.
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`Failed to build the site:\n${stdout}\n${stderr}`)
    },
  )
}, 480_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

testPlayground(folder, chromium)
inFirefox((driver) => testPlayground(folder, driver))
