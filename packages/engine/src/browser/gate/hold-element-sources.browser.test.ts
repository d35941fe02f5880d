import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cdp } from 'vitest/browser'

import type { Gate, PageScope } from './gate.ts'
import { installGate } from './install-gate.ts'
import { startArrivalServer, type ArrivalServer } from './testing/arrivals.ts'

let server: ArrivalServer
let scope: PageScope
let gate: Gate

beforeAll(async () => {
  server = await startArrivalServer(cdp())
})
beforeEach(async () => {
  scope = await server.openFrame()
  gate = installGate(scope)
})
afterAll(() => server.close())

function create<Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag] {
  return scope.document.createElement(tag)
}

function until(target: EventTarget, type: string): Promise<Event> {
  return new Promise((resolve) => target.addEventListener(type, resolve, { once: true }))
}

/** A silent sound, as a URL that needs no network. */
const sound = 'data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const pixel = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="3" height="3"/>'

const ways: Record<string, () => Element> = {
  'img.src': () => Object.assign(create('img'), { src: 'source' }),
  'img.srcset': () => Object.assign(create('img'), { srcset: 'source 1x' }),
  'img.setAttribute(src)': () => {
    const element = create('img')
    element.setAttribute('SRC', 'source')
    return element
  },
  'img.setAttribute(srcset)': () => {
    const element = create('img')
    element.setAttribute('srcset', 'source, source 2x')
    return element
  },
  'img.setAttributeNS(src)': () => {
    const element = create('img')
    element.setAttributeNS(null, 'src', 'source')
    return element
  },
  'new Image()': () => Object.assign(new scope.Image(3, 3), { src: 'source' }),
  'audio.src': () => Object.assign(create('audio'), { src: 'source' }),
  'video.src': () => Object.assign(create('video'), { src: 'source' }),
  'new Audio(url)': () => new scope.Audio('source'),
  'video.poster': () => {
    const element = create('video')
    scope.document.body.append(element)
    element.poster = 'source'
    return element
  },
  'source in video': () => {
    const element = create('video')
    element.append(Object.assign(create('source'), { src: 'source' }))
    scope.document.body.append(element)
    return element
  },
  'source in picture': () => {
    const element = create('picture')
    element.append(Object.assign(create('source'), { srcset: 'source' }), create('img'))
    scope.document.body.append(element)
    return element
  },
}

test.for(Object.entries(ways))('the request of %s waits for the gate', async ([, make]) => {
  make()
  await server.settle()
  expect(gate.held).toBe(1)
  expect(server.lines).toEqual([])

  gate.open()

  await expect.poll(() => server.lines[0]).toBe('GET source')
  expect(gate.held).toBe(0)
})

test.for(Object.entries(ways))('without a gate, %s requests', async ([, make]) => {
  scope = await server.openFrame()
  make()

  await expect.poll(() => server.lines[0]).toBe('GET source')
})

test('returns the value that was set, as the platform does', () => {
  gate.open()
  const read = (): unknown[] => {
    const img = create('img')
    img.src = ' a b.png '
    img.srcset = 'small.png 1x, large.png 2x'
    const video = create('video')
    video.setAttribute('poster', '../poster.png')
    const source = create('source')
    source.src = 'http://['
    return [
      [img.src, img.getAttribute('src'), img.getAttribute('SRC'), img.hasAttribute('src')],
      [img.srcset, img.getAttribute('srcset')],
      [video.poster, video.getAttribute('poster'), video.src, video.getAttribute('src'), video.hasAttribute('src')],
      [source.src, source.getAttribute('src')],
    ]
  }
  const native = read()
  gate.hold()

  expect(read()).toEqual(native)
  expect(gate.held).toBe(2)
})

test('a value that is not a string is converted as the platform does', () => {
  const img = create('img')
  img.setAttribute('src', new scope.URL('own', scope.location.href) as unknown as string)
  expect(img.getAttribute('src')).toBe(`${scope.location.href}own`)
  expect(() => {
    img.src = Symbol('none') as unknown as string
  }).toThrow(TypeError)
  expect(() => (img.setAttribute as (name: string) => void)('src')).toThrow(scope.TypeError)
  expect(img.src).toBe(`${scope.location.href}own`)
})

test('other attributes and elements are the platform’s', () => {
  const img = create('img')
  img.setAttribute('alt', 'text')
  img.alt += '!'
  const script = create('div')
  script.setAttribute('src', 'nothing')
  script.setAttributeNS('http://www.w3.org/1999/xlink', 'xlink:href', 'nothing')
  img.setAttributeNS('http://www.w3.org/1999/xlink', 'src', 'nothing')

  expect(img.getAttributeNS('http://www.w3.org/1999/xlink', 'src')).toBe('nothing')
  expect(img.src).toBe('')
  expect(img.getAttribute('alt')).toBe('text!')
  expect(script.outerHTML).toBe('<div src="nothing" xlink:href="nothing"></div>')
  expect(gate.held).toBe(0)
})

test('only the last value is requested', async () => {
  const img = create('img')
  img.src = 'first'
  img.setAttribute('src', 'second')
  img.src = 'third'
  expect(gate.held).toBe(1)
  gate.open()
  await until(img, 'load')

  expect(server.lines).toEqual(['GET third'])
  expect(img.getAttribute('src')).toBe('third')
})

test('several attributes of one element are released together', async () => {
  const img = create('img')
  img.src = 'single'
  img.srcset = 'set 1x'
  expect(gate.held).toBe(1)
  gate.open()
  await until(img, 'load')
  await server.settle()

  expect(server.lines).toEqual(['GET set'])
})

test('a removed source is not requested', async () => {
  const [removed, emptied, replaced] = [create('img'), create('img'), create('img')]
  for (const img of [removed, emptied, replaced]) img.src = 'source'
  removed.removeAttribute('src')
  emptied.src = ''
  replaced.src = pixel
  await until(replaced, 'load')
  expect([removed.hasAttribute('src'), removed.src, removed.getAttribute('src')]).toEqual([false, '', null])
  expect(emptied.getAttribute('src')).toBe('')
  expect(replaced.src).toBe(pixel)
  expect(gate.held).toBe(0)

  gate.open()
  await server.settle()
  expect(server.lines).toEqual([])
  expect(replaced.src).toBe(pixel)
})

test('an element that was removed from the document still gets its source', async () => {
  const img = create('img')
  scope.document.body.append(img)
  img.src = 'source'
  img.remove()
  gate.open()

  await until(img, 'load')
  expect(img.getAttribute('src')).toBe('source')
})

test('does not hold sources that need no network', async () => {
  const img = create('img')
  img.src = pixel
  await until(img, 'load')
  const blob = create('img')
  blob.src = scope.URL.createObjectURL(
    new scope.Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' }),
  )
  await until(blob, 'load')

  expect(gate.held).toBe(0)
})

test('does not hold sources in other documents, which make no requests and are serialized', () => {
  const other = scope.document.implementation.createHTMLDocument()
  const img = other.createElement('img')
  img.src = 'property'
  expect(img.outerHTML).toBe('<img src="property">')
  img.setAttribute('src', 'attribute')
  expect(img.outerHTML).toBe('<img src="attribute">')
  expect(gate.held).toBe(0)
})

test('an image that waits is not complete', async () => {
  const img = create('img')
  expect(img.complete).toBe(true)
  img.src = 'source'
  expect(img.complete).toBe(false)
  gate.open()
  await until(img, 'load')
  expect(img.complete).toBe(true)
})

test('an image is decoded when it has loaded', async () => {
  const img = create('img')
  img.src = 'source'
  const decoded = img.decode()
  gate.open()
  await decoded

  expect(img.complete).toBe(true)
  expect(img.naturalWidth).toBe(1)
})

test('decode() and play() without a held source are the platform’s', async () => {
  await expect(create('img').decode()).rejects.toBeInstanceOf(scope.DOMException)
  const img = create('img')
  img.src = pixel
  await img.decode()
  const video = create('video')
  video.muted = true
  video.src = sound
  void video.play().catch(() => {})
  expect(video.paused).toBe(false)
  expect(gate.held).toBe(0)
})

test.for(['src', 'source'])('play() waits for the held %s, and then starts', async (way) => {
  const video = create('video')
  video.muted = true
  if (way === 'src') video.src = 'video'
  else video.append(Object.assign(create('source'), { src: 'video' }))
  void video.play().catch(() => {})
  await server.settle()
  expect(server.lines).toEqual([])
  expect(gate.held).toBe(2)
  expect(video.paused).toBe(true)

  gate.open()

  expect(video.paused).toBe(false)
  await expect.poll(() => server.lines[0]).toBe('GET video')
})

test('the promise of play() settles with the result of playing', async () => {
  const video = create('video')
  video.muted = true
  video.src = 'no-video'
  const played = video.play()
  gate.open()

  await expect(played).rejects.toMatchObject({ name: 'NotSupportedError' })
})

test('new Audio() is the platform’s', () => {
  expect(new scope.Audio()).toBeInstanceOf(scope.HTMLAudioElement)
  expect(new scope.Audio().hasAttribute('src')).toBe(false)
  expect(new scope.Audio()).toBeInstanceOf(scope.Audio)
  const audio = new scope.Audio('source')
  expect(audio).toBeInstanceOf(scope.HTMLAudioElement)
  expect([audio.src, audio.preload]).toEqual([`${scope.location.href}source`, 'auto'])
  expect(() => Reflect.apply(scope.Audio, undefined, [])).toThrow(scope.TypeError)
})

test('does not hold attributes of elements whose sources were released', async () => {
  gate.open()
  const img = create('img')
  img.src = 'source'
  await until(img, 'load')

  expect(server.lines).toEqual(['GET source'])
  expect(gate.held).toBe(0)
})
