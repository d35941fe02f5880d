import { describe, expect, it, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { HttpResponse } from '../responses/http-response.ts'
import type { HandlerLayers } from './handler-layers.ts'
import type { Handler, HandlerOptions } from './request-handler.ts'
import { a, b, create, named } from './testing/named-handlers.ts'

/** A handler whose generator counts: `a1`, `a2`, … */
function counting(name: string, options?: HandlerOptions, end = Infinity): Handler {
  return http.get(
    'https://app.test/x',
    function* () {
      for (let count = 1; count < end; count += 1) yield HttpResponse.text(`${name}${count}`)
      return HttpResponse.text(`${name}${end}`)
    },
    options,
  )
}

describe('a handler that answers once', () => {
  it('answers once, then the next one does', async () => {
    const { layers, ask } = create(named('once', '/x', { once: true }), a)
    expect([await ask(), await ask(), await ask()]).toEqual(['once', 'a', 'a'])
    layers.restore()
    expect([await ask(), await ask()]).toEqual(['once', 'a'])
  })

  it('answers only one of two concurrent requests', async () => {
    const { ask } = create(named('once', '/x', { once: true }), a)
    expect((await Promise.all([ask(), ask()])).toSorted()).toEqual(['a', 'once'])
  })

  it.each<
    [name: string, bringBack: (layers: HandlerLayers, handler: Handler) => void, leave: (layers: HandlerLayers) => void]
  >([
    ['runtime', (layers, handler) => layers.use([handler]), (layers) => layers.reset()],
    ['scoped', (layers, handler) => layers.install('story', [handler]), (layers) => layers.remove('story')],
    [
      'scoped, replaced',
      (layers, handler) => layers.install('story', [handler]),
      (layers) => layers.install('story', []),
    ],
    ['initial', (layers, handler) => layers.reset([handler]), (layers) => layers.reset([a])],
    ['initial, swapped', (layers, handler) => layers.replaceInitial([handler]), (layers) => layers.replaceInitial([a])],
  ])('answers again after it is added again (%s)', async (_name, bringBack, leave) => {
    const once = named('once', '/x', { once: true })
    const { layers, ask } = create(a)
    bringBack(layers, once)
    expect(await ask()).toBe('once')
    leave(layers)
    expect(await ask()).toBe('a')
    bringBack(layers, once)
    expect(await ask()).toBe('once')
  })

  it('stays used when it stays through a hot swap', async () => {
    const once = named('once', '/x', { once: true })
    const { layers, ask } = create(once, a)
    await ask()
    layers.replaceInitial([once, b])
    expect(await ask()).toBe('b')
  })
})

describe("a generator's progress", () => {
  it('does not restart when other handlers change', async () => {
    const { layers, ask } = create(counting('a'))
    expect(await ask()).toBe('a1')
    layers.use([named('y', '/y')])
    layers.install('story', [named('z', '/z')])
    layers.remove('story')
    expect(await ask()).toBe('a2')
  })

  it('starts again when the handlers are reset, after its cleanup', async () => {
    const steps: unknown[] = []
    const generator = http.get('https://app.test/x', function* ({ finalize }) {
      finalize(() => steps.push('finalize'))
      try {
        for (let step = 1; ; step += 1) yield HttpResponse.text(`g${step}`)
      } finally {
        steps.push('finally')
      }
    })
    const { layers, ask } = create(generator)
    steps.push(await ask(), await ask())
    layers.reset()
    steps.push(await ask())
    layers.install('story', [counting('s')])
    steps.push(await ask(), await ask())
    layers.reset()
    steps.push(await ask())
    expect(steps).toEqual(['g1', 'g2', 'finalize', 'finally', 'g1', 's1', 's2', 'finalize', 'finally', 's1'])
  })

  it('of a `once` handler starts again by reset() until it has ended, and then stays ended', async () => {
    const { layers, ask } = create(counting('g', { once: true }, 2), a)
    expect(await ask()).toBe('g1')
    layers.reset()
    expect([await ask(), await ask(), await ask()]).toEqual(['g1', 'g2', 'a'])
    layers.reset()
    expect(await ask()).toBe('a')
  })

  it('starts again when its handler is added again', async () => {
    const { layers, ask } = create(a)
    const generator = counting('g')
    layers.use([generator])
    expect([await ask(), await ask()]).toEqual(['g1', 'g2'])
    layers.reset()
    layers.use([generator])
    expect(await ask()).toBe('g1')
  })

  it('of a `once` handler lasts to its end, and starts again after restore()', async () => {
    const { layers, ask } = create(counting('g', { once: true }, 2), a)
    expect([await ask(), await ask(), await ask()]).toEqual(['g1', 'g2', 'a'])
    layers.restore()
    expect([await ask(), await ask(), await ask()]).toEqual(['g1', 'g2', 'a'])
  })

  it('ends with its handler, even if the generator’s cleanup fails', async () => {
    const ended = vi.fn<() => void>(() => {
      throw new Error('on its way out')
    })
    const { layers, ask } = create(a)
    layers.use([
      http.get('https://app.test/x', function* () {
        try {
          for (;;) yield HttpResponse.text('g')
        } finally {
          ended()
        }
      }),
    ])
    expect(await ask()).toBe('g')
    layers.reset()
    expect(ended).toHaveBeenCalledOnce()
    expect(await ask()).toBe('a')
  })
})
