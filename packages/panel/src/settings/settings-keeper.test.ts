import type { InspectedHandler } from '@understudy/engine/inspect'
import { expect, test, vi } from 'vitest'

import type { PanelHost, PanelState } from '../panel-host.ts'
import { SettingsKeeper } from './settings-keeper.ts'

/** A network that applies commands when the test lets it. */
class Network implements PanelHost {
  #handlers: InspectedHandler[]
  #queue: (() => void)[] = []
  readonly commands: string[] = []

  constructor(...ids: number[]) {
    this.#handlers = ids.map((id) => createHandler(id))
  }

  getState(): PanelState {
    return {
      handlers: [...this.#handlers],
      requests: [],
      connections: [],
      info: { title: '', url: null, notices: [], labels: [] },
    }
  }

  subscribe(): () => void {
    return () => {}
  }

  setEnabled(id: number, enabled: boolean): Promise<void> {
    this.commands.push(`${id} ${enabled ? 'on' : 'off'}`)
    return this.#change(id, { enabled })
  }

  override(id: number, override: InspectedHandler['override']): Promise<void> {
    this.commands.push(`${id} ${JSON.stringify(override)}`)
    return this.#change(id, { override })
  }

  async reset(): Promise<void> {}

  async details(): Promise<never> {
    throw new Error('This test asks for no details.')
  }

  /** Other handlers with the same headers, as after an edit. */
  swap(...ids: number[]): void {
    this.#handlers = ids.map((id) => createHandler(id))
  }

  async obey(): Promise<void> {
    for (const act of this.#queue.splice(0)) act()
    await Promise.resolve()
    await new Promise((resolve) => setTimeout(resolve))
  }

  #change(id: number, change: Partial<InspectedHandler>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push(() => {
        if (!this.#handlers.some((handler) => handler.id === id)) reject(new Error(`There is no handler ${id}.`))
        this.#handlers = this.#handlers.map((handler) => (handler.id === id ? { ...handler, ...change } : handler))
        resolve()
      })
    })
  }
}

function createHandler(id: number): InspectedHandler {
  const header = `GET /${id % 10}`
  const still = { kind: 'request', layer: 'initial', origin: null, hits: 0, isUsedUp: false, shadowedBy: null } as const
  return { ...still, id, header, enabled: true, override: null }
}

test('handlers get the settings of the text once, and the text stays', async () => {
  const network = new Network(1, 2)
  const keeper = new SettingsKeeper('initial+GET+%2F1=off.503', () => {})
  expect(keeper.update(network, network.getState())).toBe(undefined)
  expect(network.commands).toEqual(['1 off', '1 {"status":503}'])
  // Older than the commands, and no reason to forget them.
  expect(keeper.update(network, network.getState())).toBe(undefined)
  await network.obey()
  expect(keeper.update(network, network.getState())).toBe(undefined)
  expect(network.commands).toHaveLength(2)
})

test('the text follows changes of other code', async () => {
  const network = new Network(1)
  const keeper = new SettingsKeeper('', () => {})
  keeper.update(network, network.getState())
  void network.override(1, { delay: 20 })
  await network.obey()
  expect(keeper.update(network, network.getState())).toBe('initial+GET+%2F1=delay-20')
  void network.override(1, null)
  await network.obey()
  expect(keeper.update(network, network.getState())).toBe('')
})

test('a change applies immediately, also to a handler that replaces the changed one', async () => {
  const network = new Network(1)
  const keeper = new SettingsKeeper('initial+GET+%2F1=off', () => {})
  keeper.update(network, network.getState())
  await network.obey()
  keeper.update(network, network.getState())
  const changing = keeper.change(network, 1, { enabled: true, override: null })
  await network.obey()
  await changing
  network.swap(11)
  expect(keeper.update(network, network.getState())).toBe('')
  expect(network.commands).toEqual(['1 off', '1 on', '1 null'])
})

test('a change applies to a handler that replaces the changed one before the command arrives', async () => {
  const network = new Network(1)
  const keeper = new SettingsKeeper('', () => {})
  keeper.update(network, network.getState())
  const changing = keeper.change(network, 1, { enabled: false })
  network.swap(11)
  await network.obey()
  await network.obey()
  await changing
  expect(network.getState().handlers).toMatchObject([{ id: 11, enabled: false }])
})

test('another text changes the existing handlers', async () => {
  const network = new Network(1, 2)
  const keeper = new SettingsKeeper('initial+GET+%2F1=off', () => {})
  keeper.update(network, network.getState())
  await network.obey()
  keeper.replace('initial+GET+%2F2=404', network, network.getState())
  await network.obey()
  expect(network.getState().handlers).toMatchObject([
    { enabled: true, override: null },
    { enabled: true, override: { status: 404 } },
  ])
  expect(keeper.update(network, network.getState())).toBe(undefined)
})

test('a command that fails is reported', async () => {
  const network = new Network(1)
  const onError = vi.fn<(error: unknown) => void>()
  const keeper = new SettingsKeeper('initial+GET+%2F1=off', onError)
  keeper.update(network, network.getState())
  network.swap(2)
  await network.obey()
  expect(onError).toHaveBeenCalledOnce()
})
