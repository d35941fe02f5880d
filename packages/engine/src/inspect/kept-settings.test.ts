import { expect, test, vi } from 'vitest'

import { Network } from '../core/network/network.ts'
import { http, HttpResponse, type Handler } from '../index.ts'
import { inspect } from './inspect.ts'
import { KeptSettings } from './kept-settings.ts'

const answering = (...paths: string[]): Handler[] => paths.map((path) => http.get(path, () => HttpResponse.text(path)))

function readState(network: Network): string[] {
  return network.layers
    .entries()
    .map(({ layer, handler, enabled, override }) =>
      [layer, handler.info.header, enabled ? 'on' : 'off', JSON.stringify(override ?? null)].join(' '),
    )
}

test('handlers that replace others get their settings immediately', () => {
  const network = new Network(answering('/a', '/b'))
  new KeptSettings(network, '')
  const { snapshot, setEnabled, override } = inspect({ '~network': network })
  const [a, b] = snapshot().handlers.map(({ id }) => id)
  setEnabled(a as number, false)
  override(b as number, { status: 503 })
  network.layers.replaceInitial(answering('/b', '/c', '/a'))
  expect(readState(network)).toEqual([
    'initial GET /b on {"status":503}',
    'initial GET /c on null',
    'initial GET /a off null',
  ])
})

test('a handler that is removed and added again has them, but not one of another layer', () => {
  const network = new Network(answering('/a'))
  new KeptSettings(network, '')
  network.layers.change(network.layers.entries(), { override: { delay: 10 } })
  network.layers.replaceInitial(answering('/b'))
  network.layers.use(answering('/a'))
  network.layers.replaceInitial(answering('/a'))
  expect(readState(network)).toEqual(['runtime GET /a on null', 'initial GET /a on {"delay":10}'])
})

test('several handlers with the same header have separate settings', () => {
  const network = new Network(answering('/a', '/a'))
  new KeptSettings(network, '')
  network.layers.change(network.layers.entries().slice(1), { enabled: false })
  network.layers.replaceInitial(answering('/a', '/a'))
  expect(readState(network)).toEqual(['initial GET /a on null', 'initial GET /a off null'])
})

test('a removed override is no longer kept', () => {
  const network = new Network(answering('/a'))
  const changed = vi.fn<(text: string) => void>()
  const settings = new KeptSettings(network, '', changed)
  const inspection = inspect({ '~network': network })
  inspection.setEnabled(inspection.snapshot().handlers[0]?.id as number, false)
  expect(settings.text).not.toBe('')
  expect(changed).toHaveBeenLastCalledWith(settings.text)
  inspection.reset()
  expect(settings.text).toBe('')
  expect(changed).toHaveBeenLastCalledWith('')
  network.layers.replaceInitial(answering('/a'))
  expect(readState(network)).toEqual(['initial GET /a on null'])
})

test('the text applies them to another network, before its handlers are added', () => {
  const first = new Network(answering('/a', '/b'))
  const { text } = new KeptSettings(first, '')
  expect(text).toBe('')
  const settings = new KeptSettings(first, '')
  first.layers.change(first.layers.entries().slice(0, 1), { enabled: false, override: { networkError: true } })

  const next = new Network([])
  const kept = new KeptSettings(next, settings.text)
  expect(kept.text).toBe(settings.text)
  next.layers.replaceInitial(answering('/a', '/b'))
  expect(readState(next)).toEqual(['initial GET /a off {"networkError":true}', 'initial GET /b on null'])
  kept.reset()
  expect(readState(next)).toEqual(['initial GET /a on null', 'initial GET /b on null'])
  expect(kept.text).toBe('')
})

test.each([
  'nothing',
  '{}',
  '[1]',
  '{"handlers":[],"recording":"some"}',
  '{"handlers":[{"key":"initial GET /a","enabled":"no","override":null}],"recording":null}',
])('text that is not valid settings is ignored: %s', (text) => {
  const network = new Network(answering('/a'))
  expect(new KeptSettings(network, text).text).toBe('')
  expect(readState(network)).toEqual(['initial GET /a on null'])
})
