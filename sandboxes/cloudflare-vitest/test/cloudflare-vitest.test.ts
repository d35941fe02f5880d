/** Tests of a Cloudflare Worker, which Vitest runs in `workerd` together with the Worker. */
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createHeavyProject, type Project } from '../../../test/acceptance/project.ts'
import { runVitest } from '../../../test/vitest/run-vitest.ts'

const options = { cli: join(import.meta.dirname, '../node_modules/vitest/vitest.mjs'), api: 'https://api.example' }

let project: Project

beforeAll(async () => {
  project = await createHeavyProject('cloudflare-vitest')
})
afterAll(() => project.dispose())

test('the requests of tests and Workers are mocked, and an unhandled one fails its test', async () => {
  const { output, tests, messages } = await runVitest(project, [], options)
  const failed = Object.keys(tests).filter((name) => tests[name] !== 'passed')
  expect(failed, output).toEqual([
    'a Worker that is called as a service bad: an unhandled request',
    'a Worker that is called as a function bad: an unhandled request',
  ])
  expect(Object.keys(tests), output).toHaveLength(24)
  for (const name of failed) expect(messages[name]).toContain('No handler matches GET https://api.example/unknown')
})

test('setupServer() mocks the requests of a Worker without the plugin’s set-up', async () => {
  const { code, output, tests } = await runVitest(project, [], { ...options, env: { BY_HAND: '1' } })
  expect(code, output).toBe(0)
  expect(Object.keys(tests)).toHaveLength(2)
})
