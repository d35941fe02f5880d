/** The repository has several versions of Vite, and only one of them can have the command `vite`. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { repository } from '../../../test/acceptance/project.ts'
import manifest from '../package.json' with { type: 'json' }

const run = promisify(execFile)

test.each(['start', 'dev', 'build'])(
  'npm run %s runs the Vite of the sandbox, even if the command `vite` belongs to another version',
  async (script) => {
    await mkdir(join(repository, '.tmp'), { recursive: true })
    const root = await mkdtemp(join(repository, '.tmp/scripts-'))
    const sandbox = join(root, 'sandboxes/vite-react')
    const installed = (name: string): string => join(repository, 'node_modules', name)
    try {
      await cp(join(import.meta.dirname, '../package.json'), join(sandbox, 'package.json'))
      await mkdir(join(root, 'node_modules/.bin'), { recursive: true })
      await symlink(installed('vite'), join(root, 'node_modules/vite'))
      await symlink(join(installed('vite-6'), 'bin/vite.js'), join(root, 'node_modules/.bin/vite'))
      const { stdout } = await run('npm', ['run', '--silent', script, '--', '--help'], { cwd: sandbox })
      const [version = ''] = /(?<=vite\/)\d+/.exec(stdout) ?? []
      expect(manifest.devDependencies.vite).toContain(`^${version}.`)
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  },
)
