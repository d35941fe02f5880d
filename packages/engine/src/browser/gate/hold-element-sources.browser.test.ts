import { expect, test } from 'vitest'

import { useGatedFrames } from './testing/frames.ts'

const page = useGatedFrames()

function create<Tag extends keyof HTMLElementTagNameMap>(tag: Tag): HTMLElementTagNameMap[Tag] {
  return page.scope.document.createElement(tag)
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
  'new Image()': () => Object.assign(new page.scope.Image(3, 3), { src: 'source' }),
  'audio.src': () => Object.assign(create('audio'), { src: 'source' }),
  'video.src': () => Object.assign(create('video'), { src: 'source' }),
  'new Audio(url)': () => new page.scope.Audio('source'),
  'video.poster': () => {
    const element = create('video')
    page.scope.document.body.append(element)
    element.poster = 'source'
    return element
  },
  'source in video': () => {
    const element = create('video')
    element.append(Object.assign(create('source'), { src: 'source' }))
    page.scope.document.body.append(element)
    return element
  },
  'source in picture': () => {
    const element = create('picture')
    element.append(Object.assign(create('source'), { srcset: 'source' }), create('img'))
    page.scope.document.body.append(element)
    return element
  },
}

test.for(Object.entries(ways))('the request of %s waits for the gate', async ([, make]) => {
  make()
  await page.server.settle()
  expect(page.gate.held).toBe(1)
  expect(page.server.lines).toEqual([])

  page.gate.open()

  await expect.poll(() => page.server.lines[0]).toBe('GET source')
  expect(page.gate.held).toBe(0)
})

test.for(Object.entries(ways))('without a gate, %s requests', async ([, make]) => {
  page.scope = await page.server.openFrame()
  make()

  await expect.poll(() => page.server.lines[0]).toBe('GET source')
})

test('returns the value that was set, as the platform does', () => {
  page.gate.open()
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
  page.gate.hold()

  expect(read()).toEqual(native)
  expect(page.gate.held).toBe(2)
})

test('a value that is not a string is converted as the platform does', () => {
  const img = create('img')
  img.setAttribute('src', new page.scope.URL('own', page.scope.location.href) as unknown as string)
  expect(img.getAttribute('src')).toBe(`${page.scope.location.href}own`)
  expect(() => {
    img.src = Symbol('none') as unknown as string
  }).toThrow(TypeError)
  expect(() => (img.setAttribute as (name: string) => void)('src')).toThrow(page.scope.TypeError)
  expect(img.src).toBe(`${page.scope.location.href}own`)
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
  expect(page.gate.held).toBe(0)
})

test('only the last value is requested', async () => {
  const img = create('img')
  img.src = 'first'
  img.setAttribute('src', 'second')
  img.src = 'third'
  expect(page.gate.held).toBe(1)
  page.gate.open()
  await until(img, 'load')

  expect(page.server.lines).toEqual(['GET third'])
  expect(img.getAttribute('src')).toBe('third')
})

test('several attributes of one element are released together', async () => {
  const img = create('img')
  img.src = 'single'
  img.srcset = 'set 1x'
  expect(page.gate.held).toBe(1)
  page.gate.open()
  await until(img, 'load')
  await page.server.settle()

  expect(page.server.lines).toEqual(['GET set'])
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
  expect(page.gate.held).toBe(0)

  page.gate.open()
  await page.server.settle()
  expect(page.server.lines).toEqual([])
  expect(replaced.src).toBe(pixel)
})

test('an element that was removed from the document still gets its source', async () => {
  const img = create('img')
  page.scope.document.body.append(img)
  img.src = 'source'
  img.remove()
  page.gate.open()

  await until(img, 'load')
  expect(img.getAttribute('src')).toBe('source')
})

test('does not hold sources that need no network', async () => {
  const img = create('img')
  img.src = pixel
  await until(img, 'load')
  const blob = create('img')
  blob.src = page.scope.URL.createObjectURL(
    new page.scope.Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' }),
  )
  await until(blob, 'load')

  expect(page.gate.held).toBe(0)
})

test('does not hold sources in other documents, which make no requests and are serialized', () => {
  const other = page.scope.document.implementation.createHTMLDocument()
  const img = other.createElement('img')
  img.src = 'property'
  expect(img.outerHTML).toBe('<img src="property">')
  img.setAttribute('src', 'attribute')
  expect(img.outerHTML).toBe('<img src="attribute">')
  expect(page.gate.held).toBe(0)
})

test('an image that waits is not complete', async () => {
  const img = create('img')
  expect(img.complete).toBe(true)
  img.src = 'source'
  expect(img.complete).toBe(false)
  page.gate.open()
  await until(img, 'load')
  expect(img.complete).toBe(true)
})

test('an image is decoded when it has loaded', async () => {
  const img = create('img')
  img.src = 'source'
  const decoded = img.decode()
  page.gate.open()
  await decoded

  expect(img.complete).toBe(true)
  expect(img.naturalWidth).toBe(1)
})

test('decode() and play() without a held source are the platform’s', async () => {
  await expect(create('img').decode()).rejects.toBeInstanceOf(page.scope.DOMException)
  const img = create('img')
  img.src = pixel
  await img.decode()
  const video = create('video')
  video.muted = true
  video.src = sound
  void video.play().catch(() => {})
  expect(video.paused).toBe(false)
  expect(page.gate.held).toBe(0)
})

test.for(['src', 'source'])('play() waits for the held %s, and then starts', async (way) => {
  const video = create('video')
  video.muted = true
  if (way === 'src') video.src = 'video'
  else video.append(Object.assign(create('source'), { src: 'video' }))
  void video.play().catch(() => {})
  await page.server.settle()
  expect(page.server.lines).toEqual([])
  expect(page.gate.held).toBe(2)
  expect(video.paused).toBe(true)

  page.gate.open()

  expect(video.paused).toBe(false)
  await expect.poll(() => page.server.lines[0]).toBe('GET video')
})

test('the promise of play() settles with the result of playing', async () => {
  const video = create('video')
  video.muted = true
  video.src = 'no-video'
  const played = video.play()
  page.gate.open()

  await expect(played).rejects.toMatchObject({ name: 'NotSupportedError' })
})

test('new Audio() is the platform’s', () => {
  expect(new page.scope.Audio()).toBeInstanceOf(page.scope.HTMLAudioElement)
  expect(new page.scope.Audio().hasAttribute('src')).toBe(false)
  expect(new page.scope.Audio()).toBeInstanceOf(page.scope.Audio)
  const audio = new page.scope.Audio('source')
  expect(audio).toBeInstanceOf(page.scope.HTMLAudioElement)
  expect([audio.src, audio.preload]).toEqual([`${page.scope.location.href}source`, 'auto'])
  expect(() => Reflect.apply(page.scope.Audio, undefined, [])).toThrow(page.scope.TypeError)
})

test('does not hold attributes of elements whose sources were released', async () => {
  page.gate.open()
  const img = create('img')
  img.src = 'source'
  await until(img, 'load')

  expect(page.server.lines).toEqual(['GET source'])
  expect(page.gate.held).toBe(0)
})
