import type { RecordingMode } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import type { PanelHost, PanelState } from '../panel-host.ts'
import { SettingsKeeper } from '../settings/settings-keeper.ts'

interface TestHost extends PanelHost {
  readonly commands: (RecordingMode | null)[]
  getState(): PanelState
}

/** A network that applies recording commands immediately. */
function createHost(recording?: RecordingMode, isServer = false): TestHost {
  const refuse = (): Promise<never> => Promise.reject(new Error('This test calls no other command.'))
  const info = { title: '', url: null, notices: [], labels: [], isServer }
  let state: PanelState = { handlers: [], requests: [], connections: [], info, ...(recording && { recording }) }
  const commands: (RecordingMode | null)[] = []
  return {
    commands,
    getState: () => state,
    subscribe: () => () => {},
    setEnabled: refuse,
    override: refuse,
    reset: refuse,
    details: refuse,
    async record(mode) {
      commands.push(mode)
      const { recording: _, ...rest } = state
      state = { ...rest, ...(mode && { recording: mode }) }
    },
  }
}

const createKeeper = (text: string): SettingsKeeper => new SettingsKeeper(text, (error) => expect.fail(String(error)))
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

test('a new page gets the mode of the text', async () => {
  const host = createHost()
  const keeper = createKeeper('initial+GET+%2Fa=off&record=all')
  expect(keeper.update(host, host.getState())).toBe(undefined)
  await settle()
  expect(host.commands).toEqual(['all'])
  expect(keeper.update(host, host.getState())).toBe(undefined)
})

test('then the text follows the page', async () => {
  const host = createHost()
  const keeper = createKeeper('')
  keeper.update(host, host.getState())
  await host.record?.('unmatched')
  expect(keeper.update(host, host.getState())).toBe('record=unmatched')
  await host.record?.(null)
  expect(keeper.update(host, host.getState())).toBe('')
  // The next page has nothing to record.
  const next = createHost()
  keeper.update(next, next.getState())
  expect(next.commands).toEqual([])
})

test('another link starts and ends it', async () => {
  const host = createHost()
  const keeper = createKeeper('')
  keeper.update(host, host.getState())
  keeper.replace('record=all', host, host.getState())
  await settle()
  keeper.replace('', host, host.getState())
  await settle()
  expect(host.commands).toEqual(['all', null])
})

test('a page and a server have separate modes', async () => {
  const [page, server] = [createHost(), createHost(undefined, true)]
  const keeper = createKeeper('record=all&server+record=unmatched')
  keeper.update(page, page.getState())
  keeper.update(server, server.getState())
  await settle()
  expect([page.commands, server.commands]).toEqual([['all'], ['unmatched']])
  await server.record?.(null)
  expect(keeper.update(server, server.getState())).toBe('record=all')
})

test('other words, and hosts that cannot record, are ignored', async () => {
  const host = createHost()
  createKeeper('record=some').update(host, host.getState())
  expect(host.commands).toEqual([])
  const without = { ...createHost(), record: undefined }
  // The link does not change for hosts that can record.
  expect(createKeeper('record=all').update(without, without.getState())).toBe(undefined)
})
