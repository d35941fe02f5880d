import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { repository } from '../acceptance/project.ts'

/** As the package is installed: the sources import the interceptors in the usual way. */
test('the package evaluates what watches sockets when there is the first to watch', async () => {
  const program = `
    import { http, HttpResponse } from '@understudy/engine'
    import { setupServer } from '@understudy/engine/node'
    import { get } from 'node:http'
    import { text } from 'node:stream/consumers'

    // What the interceptors put there when they are evaluated.
    const isEvaluated = () => '__MSW_INTERNAL_CONNECTION_CONTEXT' in globalThis
    const server = setupServer(http.get('http://api.test/user', () => HttpResponse.text('mocked')))
    server.listen()
    const told = [isEvaluated()]
    told.push(await (await fetch('http://api.test/user')).text(), isEvaluated())
    const response = await new Promise((resolve) => get('http://api.test/user', resolve))
    told.push(await text(response), isEvaluated())
    server.close()
    console.log(JSON.stringify(told))
  `
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(repository, 'test'),
  })
  expect(JSON.parse(stdout)).toEqual([false, 'mocked', false, 'mocked', true])
})
