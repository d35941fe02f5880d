import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { createProject, type Project } from '../acceptance/project.ts'
import { runVitest, vitest5 } from '../vitest/run-vitest.ts'
import { expectedAnswers, requestsModule } from './requests.ts'

/**
 * Test runners give each test file its own global object with `node:vm`. There, `require` cannot load ECMAScript
 * modules, and modules that Node itself loads see other globals.
 */
let project: Project
let real: Server
let origin: string

beforeAll(async () => {
  real = createServer((_request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.end('the real one')
  })
  await new Promise<void>((resolve) => {
    real.listen(0, '127.0.0.1', resolve)
  })
  origin = `http://127.0.0.1:${(real.address() as AddressInfo).port}/`
  const spec = (environment: string): string => `// @vitest-environment ${environment}
import { expect, test } from 'vitest'
import { requestByEach } from './requests.js'

test('${environment}', async () => {
  const { answers, afterwards } = await requestByEach(import.meta.env.VITE_API)
  const names = ['fetch', 'http', 'axios'${environment === 'node' ? '' : `, 'XMLHttpRequest'`}]
  expect(answers).toEqual(Object.fromEntries(names.map((name) => [name, ${JSON.stringify(expectedAnswers)}])))
  expect(afterwards).toBe('the real one')
})
`
  project = await createProject('test/fixtures/empty', {
    'package.json': '{ "type": "module" }',
    'vitest.config.js': 'export default {}',
    'requests.js': requestsModule,
    'node.spec.js': spec('node'),
    'jsdom.spec.js': spec('jsdom'),
    'happy-dom.spec.js': spec('happy-dom'),
  })
})

afterAll(async () => {
  real.close()
  await project.dispose()
})

test.each(['vmThreads', 'vmForks', 'forks'])('setupServer answers every client in the pool %s', async (pool) => {
  const { code, output, tests } = await runVitest(project, [`--pool=${pool}`], { cli: vitest5, api: origin })
  expect(tests, output).toEqual({ node: 'passed', jsdom: 'passed', 'happy-dom': 'passed' })
  expect(code, output).toBe(0)
})
