import { afterEach, expect, test } from 'vitest'

import { savingUntil } from '../acceptance/project.ts'
import type { ToolProcess } from '../acceptance/run-tool.ts'
import { watchVitest } from './run-vitest.ts'
import { withFixture, type VitestUnderTest } from './with-fixture.ts'

/** Tests Vitest's watch mode. */
export function testWatching(vitest: VitestUnderTest): void {
  const fixture = withFixture(vitest)
  let tool: ToolProcess | undefined

  afterEach(async () => {
    await tool?.stop()
    tool = undefined
  })

  test.each(['node', 'jsdom'])('in %s, an edit of a module of the handlers runs the tests again', async (world) => {
    const { project } = fixture
    const watching = watchVitest(project, ['watched', `--project=${world}`], {
      cli: vitest.cli,
      api: fixture.backend.origin,
    })
    tool = watching
    await watching.untilSaid(/Waiting for file changes/)

    let from = 0
    /** Saves a file until Vitest prints a line. */
    const saveUntilSaid = async (file: string, edit: (text: string) => string, said: RegExp): Promise<void> => {
      const text = edit(await project.read(file))
      from = watching.output.length
      await savingUntil(project, file, text, () => Promise.resolve(watching.output.slice(from))).toMatch(said)
      // Waits for the rest of the run's output, so that it does not appear in the next one.
      await watching.untilSaid(/Watching for file changes|Waiting for file changes/, from)
    }

    const handlersFile = 'src/mocks/handlers.js'
    await saveUntilSaid('src/mocks/user.json', (text) => text.replace('Ada', 'Eda'), /1 failed/)
    expect(watching.output.slice(from)).toMatch(/"name": "Eda"/)
    await saveUntilSaid('src/mocks/user.json', (text) => text.replace('Eda', 'Ada'), /1 passed/)
    await saveUntilSaid(handlersFile, (text) => `${text}\nundefinedName()`, /ReferenceError: undefinedName/)
    await saveUntilSaid(handlersFile, (text) => text.replace('\nundefinedName()', '\n)'), /Failed to load the handlers/)
    await saveUntilSaid(handlersFile, (text) => text.replace('\n)', ''), /1 passed/)
    expect(fixture.backend.requests).toEqual([])
  })
}
