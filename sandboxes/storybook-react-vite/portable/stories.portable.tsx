/** Tests stories without Storybook and without a browser. Their requests are relative to jsdom's page. */
import { composeStories } from '@storybook/react-vite'
import { afterEach, expect, test, vi } from 'vitest'

import * as berthForm from '../src/components/BerthForm.stories.tsx'
import * as boatCard from '../src/components/BoatCard.stories.tsx'
import * as boatList from '../src/components/BoatList.stories.tsx'
import * as loaders from '../src/components/Loaders.stories.tsx'
import * as signIn from '../src/components/SignIn.stories.tsx'
import * as tides from '../src/components/Tides.stories.tsx'
import * as unhandled from '../src/components/Unhandled.stories.tsx'

const { Default, Failed, Empty, Long, Offline, Loading } = composeStories(boatList)
const { Booked, Full, FullAtTheSecondTry, Slow } = composeStories(berthForm)
const { FromControls, NotFound } = composeStories(boatCard)
const { SignsIn, WrongPassword } = composeStories(signIn)
const { Springs, Today } = composeStories(tides)
const { Answered } = composeStories(loaders)
const { Fails } = composeStories(unhandled)

afterEach(() => {
  document.body.replaceChildren()
})

const shown = (): string => document.body.textContent

test('each story is answered by its own handlers', async () => {
  await Failed.run()
  await vi.waitFor(() => expect(shown()).toContain('The register is closed.'))
  await Empty.run()
  await vi.waitFor(() => expect(shown()).toContain('No boats today.'))
  await Long.run()
  await vi.waitFor(() => expect(shown()).toContain('Boat 60'))
  await Offline.run()
  await vi.waitFor(() => expect(shown()).toContain('could not be loaded'))
})

test('a story without its own handlers is answered by those of the project', async () => {
  await Default.run()
  await vi.waitFor(() => expect(shown()).toContain('Zeehond'))
})

test('a story that never gets its response does not affect the next one', async () => {
  await Loading.run()
  expect(shown()).toContain('Loading boats…')
  await Empty.run()
  await vi.waitFor(() => expect(shown()).toContain('No boats today.'))
})

test('args change the responses of handlers', async () => {
  await FromControls.run({ args: { id: 'GBR-9', name: 'Avocet', length: 4 } })
  await vi.waitFor(() => expect(shown()).toContain('Avocet'))
  await NotFound.run()
  await vi.waitFor(() => expect(shown()).toContain('No such boat.'))
})

test.each([
  ['what was sent is asked for', Booked],
  ['a refusal', Full],
  ['a handler that is added', FullAtTheSecondTry],
  ['an answer that never comes', Slow],
  ['a form that is refused', WrongPassword],
  ['a cookie that is set', SignsIn],
])('the play function is answered: %s', async (_name, Story) => {
  // It fails by its own assertions.
  await expect(Story.run()).resolves.toBeUndefined()
})

test('loaders, beforeEach and GraphQL are answered', async () => {
  await Answered.run()
  expect(shown()).toContain('loader: Petrel, beforeEach: Petrel')
  await Today.run()
  await vi.waitFor(() => expect(shown()).toContain('4.1 m'))
  await Springs.run()
  await vi.waitFor(() => expect(shown()).toContain('7.4 m'))
})

test('relative URLs are relative to the page, with every API', async () => {
  await Empty.run()
  const page = new URL('/api/boats', location.href)
  expect(await (await fetch('/api/boats')).json()).toEqual([])
  expect(await (await fetch('api/boats')).json()).toEqual([])
  expect(await (await fetch(page)).json()).toEqual([])
  expect((await fetch('/api/boats')).url).toBe(page.href)
  const controller = new AbortController()
  expect(await (await fetch('/api/boats', { signal: controller.signal })).json()).toEqual([])
  const aborted = fetch('/api/boats', { signal: controller.signal })
  controller.abort()
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  const answered = new Promise<string>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('GET', '/api/boats')
    request.addEventListener('load', () => resolve(request.responseText))
    request.addEventListener('error', () => reject(new Error('failed')))
    request.send()
  })
  expect(await answered).toBe('[]')
})

test('a story with onUnhandledRequest: "error" fails its test', async () => {
  await expect(Fails.run()).rejects.toThrow('made requests that no handler matches')
})
