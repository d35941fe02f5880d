import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

/** Returns the ports that keep this process alive. */
const openPorts = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length

/** Evaluates the module again, with the current globals. */
async function load(): Promise<(task: () => void) => void> {
  vi.resetModules()
  return (await import('./queue-task.ts')).queueTask
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each([
  ['setImmediate', {}],
  ['a MessageChannel (Node with the globals of a page)', { setImmediate: undefined }],
  ["a timer (Jest's jsdom)", { setImmediate: undefined, MessageChannel: undefined }],
])('by %s', (_name, globals: Record<string, undefined>) => {
  beforeEach(() => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
  })

  test('tasks run in their order, each after the microtasks of the previous one', async () => {
    const queueTask = await load()
    const order: string[] = []
    await new Promise<void>((resolve) => {
      queueTask(() => {
        order.push('first')
        void Promise.resolve().then(() => order.push('its microtask'))
        queueTask(() => {
          order.push('queued by the first')
          resolve()
        })
      })
      queueTask(() => order.push('second'))
      order.push('the code that queued')
    })
    expect(order).toEqual(['the code that queued', 'first', 'its microtask', 'second', 'queued by the first'])
  })

  test('nothing keeps the process alive after the tasks', async () => {
    const before = openPorts()
    const queueTask = await load()
    expect(openPorts()).toBe(before)
    for (let round = 0; round < 2; round += 1) {
      await new Promise<void>((resolve) => {
        queueTask(resolve)
      })
      expect(openPorts()).toBe(before)
    }
  })
})
