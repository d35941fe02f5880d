import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { Network } from '../core/network/network.ts'
import { http, HttpResponse } from '../index.ts'
import { connectInspections, type InspectionConnection } from './connect-inspections.ts'
import { toInspectionPort } from './inspection-port.ts'
import { panelChannel, sharePage } from './share-page.ts'

/** Creates the state of a page after a load or a reload. */
function loadPage(): { network: Network; leave: () => void } {
  const network = new Network([])
  sharePage({ '~network': network })
  network.layers.replaceInitial([http.get('/user', () => HttpResponse.json({}))])
  // Called synchronously, as during `pagehide`.
  return { network, leave: () => dispatchEvent(new Event('pagehide')) }
}

const isOn = ({ layers }: Network): boolean | undefined => layers.entries()[0]?.enabled
const panels: { connection: InspectionConnection; channel: BroadcastChannel }[] = []

function openPanel(): InspectionConnection {
  const channel = new BroadcastChannel(panelChannel)
  const connection = connectInspections(toInspectionPort(channel))
  panels.push({ connection, channel })
  return connection
}

async function switchOff(connection: InspectionConnection): Promise<void> {
  await expect.poll(() => connection.getNetworks().length).toBe(1)
  const [remote] = connection.getNetworks()
  await expect.poll(() => remote?.getState().handlers.length).toBe(1)
  await remote?.setEnabled(remote.getState().handlers[0]?.id ?? 0, false)
}

beforeEach(() => sessionStorage.clear())

afterEach(() => {
  vi.useRealTimers()
  dispatchEvent(new Event('pagehide'))
  for (const { connection, channel } of panels.splice(0)) {
    connection.close()
    channel.close()
  }
})

test('settings of a panel apply to the next page as soon as its handlers are added', async () => {
  const first = loadPage()
  await switchOff(openPanel())
  expect(isOn(first.network)).toBe(false)
  first.leave()
  expect(isOn(loadPage().network)).toBe(false)
})

test('the settings end when the panel closes', async () => {
  const first = loadPage()
  const connection = openPanel()
  await switchOff(connection)
  connection.close()
  await expect.poll(() => sessionStorage.length).toBe(0)
  // The current page does not change.
  expect(isOn(first.network)).toBe(false)
  first.leave()
  expect(isOn(loadPage().network)).toBe(true)
})

test('if the panel left without a message, the next page resets the settings', async () => {
  const first = loadPage()
  await switchOff(openPanel())
  first.leave()
  for (const { connection, channel } of panels.splice(0)) {
    // Its last message is lost.
    channel.postMessage = () => {}
    connection.close()
    channel.close()
  }
  vi.useFakeTimers()
  const { network } = loadPage()
  expect(isOn(network)).toBe(false)
  await vi.advanceTimersByTimeAsync(5000)
  expect(isOn(network)).toBe(true)
  expect(sessionStorage.length).toBe(0)
})

test('an open panel keeps the settings', async () => {
  const first = loadPage()
  const connection = openPanel()
  await switchOff(connection)
  first.leave()
  const { network } = loadPage()
  await expect.poll(() => connection.getNetworks().length).toBe(1)
  await expect.poll(() => connection.getNetworks()[0]?.getState().handlers[0]?.enabled).toBe(false)
  expect(isOn(network)).toBe(false)
  expect(sessionStorage.length).toBe(1)
})

test('panels see the groups in which a handlers module exports handlers', async () => {
  const { pickHandlers } = await import('../core/handlers/pick-handlers.ts')
  const network = new Network([])
  sharePage({ '~network': network })
  const one = http.get('/a', () => HttpResponse.json({}))
  const two = http.get('/b', () => HttpResponse.json({}))
  network.layers.replaceInitial(await pickHandlers({ handlers: { session: [one], plays: two } }, 'handlers.ts'))
  const connection = openPanel()
  await expect.poll(() => connection.getNetworks().length).toBe(1)
  const { handlers, info } = connection.getNetworks()[0]?.getState() ?? { handlers: [], info: null }
  expect(handlers.map(({ id }) => info?.labels.find((label) => label.id === id))).toMatchObject([
    { layer: null, group: 'session' },
    { layer: null, group: 'plays' },
  ])
})
