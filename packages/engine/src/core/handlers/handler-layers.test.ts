import { describe, expect, it, vi } from 'vitest'

import { http } from '../../http/http.ts'
import { handleRequest } from '../network/handle-request.ts'
import { Network } from '../network/network.ts'
import { HttpResponse } from '../responses/http-response.ts'
import { readUnhandledPolicy } from '../unhandled/unhandled-request.ts'
import type { HandlerLayers } from './handler-layers.ts'
import type { Handler, HandlerOptions } from './request-handler.ts'

/** A handler that answers with its name. */
function named(name: string, path = '/x', options?: HandlerOptions): Handler {
  return http.get(`https://app.test${path}`, () => HttpResponse.text(name), options)
}

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

function create(...initial: Handler[]): { layers: HandlerLayers; ask(path?: string): Promise<string | undefined> } {
  const network = new Network(initial, { unhandled: readUnhandledPolicy({ onUnhandledRequest: 'bypass' }) })
  return {
    layers: network.layers,
    async ask(path = '/x') {
      const outcome = await handleRequest(new Request(`https://app.test${path}`), network)
      return outcome.type === 'mocked' ? outcome.response.text() : undefined
    },
  }
}

const [a, b, c, d, e, f] = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => named(name)) as [
  Handler,
  Handler,
  Handler,
  Handler,
  Handler,
  Handler,
]

describe('order', () => {
  it('is runtime, scoped, initial; the last added first, and within one call as given', async () => {
    const { layers, ask } = create(a, b)
    expect(await ask()).toBe('a')
    layers.install('story', [c])
    expect(await ask()).toBe('c')
    layers.use([d, e])
    expect(await ask()).toBe('d')
    layers.use([f])
    expect(await ask()).toBe('f')
    expect(layers.entries().map(({ handler }) => handler)).toEqual([f, d, e, c, a, b])
    expect(layers.entries().map(({ layer }) => layer)).toEqual([
      'runtime',
      'runtime',
      'runtime',
      'scoped',
      'initial',
      'initial',
    ])
  })

  it('also applies to handlers that are added between requests', async () => {
    const { layers, ask } = create(named('initial', '/:any'))
    expect(await ask('/y')).toBe('initial')
    layers.use([named('wide', '/*')])
    expect(await ask('/y')).toBe('wide')
    layers.use([named('y', '/y'), named('wider', '*')])
    expect(await ask('/y')).toBe('y')
    expect(await ask('/z')).toBe('wider')
  })

  it('keeps a handler that was added twice at both positions', async () => {
    const { layers, ask } = create(a, b)
    layers.use([b])
    expect(await ask()).toBe('b')
    expect(new Set(layers.entries().map(({ id }) => id)).size).toBe(3)
    layers.reset()
    expect(await ask()).toBe('a')
  })
})

describe('entries', () => {
  it('count the requests that their handler answered here', async () => {
    const first = create(a, b)
    const second = create(a)
    await first.ask()
    await first.ask()
    expect(first.layers.entries().map(({ hits }) => hits)).toEqual([2, 0])
    expect(second.layers.entries().map(({ hits }) => hits)).toEqual([0])
  })

  it('answer nothing while they are switched off', async () => {
    const { layers, ask } = create(a, b)
    const [first] = layers.entries()
    if (first) first.enabled = false
    expect(await ask()).toBe('b')
    if (first) first.enabled = true
    expect(await ask()).toBe('a')
  })
})

describe('batches', () => {
  it('stay the same while their entries do not change', () => {
    const { layers } = create(a)
    const [initial] = layers.batches()
    layers.use([b])
    expect(layers.batches()).toHaveLength(2)
    expect(layers.batches()).toContain(initial)
    layers.reset()
    expect(layers.batches()).toEqual([initial])
    expect(layers.batches()[0]).toBe(initial)
  })

  it('are replaced when an entry is disabled', () => {
    const { layers } = create(a)
    layers.use([b])
    const [runtime, initial] = layers.batches()
    layers.change(initial?.entries ?? [], { hits: 1 })
    expect(layers.batches()[1]).toBe(initial)
    layers.change(initial?.entries ?? [], { enabled: false })
    expect(layers.batches()[0]).toBe(runtime)
    expect(layers.batches()[1]).not.toBe(initial)
    expect(layers.batches()[1]?.entries).toEqual(initial?.entries)
  })
})

describe('reset', () => {
  it('removes only runtime handlers', async () => {
    const { layers, ask } = create(a)
    layers.install('story', [c])
    layers.use([d])
    layers.reset()
    expect(layers.entries().map(({ handler }) => handler)).toEqual([c, a])
    expect(await ask()).toBe('c')
  })

  it('with a list, replaces the initial handlers permanently', async () => {
    const { layers, ask } = create(a)
    layers.use([d])
    layers.reset([b, c])
    expect(await ask()).toBe('b')
    layers.use([d])
    layers.reset()
    expect(layers.entries().map(({ handler }) => handler)).toEqual([b, c])
  })
})

describe('replaceInitial', () => {
  it('keeps the other layers', async () => {
    const { layers, ask } = create(a)
    layers.install('story', [named('story', '/story')])
    layers.use([named('runtime', '/runtime')])
    layers.replaceInitial([b])
    expect(await Promise.all([ask(), ask('/story'), ask('/runtime')])).toEqual(['b', 'story', 'runtime'])
    layers.reset()
    expect(await ask()).toBe('b')
  })

  it('may leave nothing', async () => {
    const { layers, ask } = create(a)
    layers.replaceInitial([])
    expect(await ask()).toBe(undefined)
  })
})

describe('install and remove', () => {
  it('are by token: the last installed answers first, and only its own token removes a layer', async () => {
    const { layers, ask } = create(a)
    const [first, second] = [{}, Symbol('second')]
    layers.install(first, [b])
    layers.install(second, [c])
    expect(await ask()).toBe('c')
    layers.remove({})
    layers.remove(Symbol('second'))
    expect(await ask()).toBe('c')
    layers.remove(second)
    expect(await ask()).toBe('b')
    layers.remove(first)
    layers.remove(first)
    expect(await ask()).toBe('a')
  })

  it('replace a layer of the same token in its place', async () => {
    const { layers, ask } = create(a)
    layers.install('first', [b])
    layers.install('second', [c])
    layers.install('first', [d])
    expect(await ask()).toBe('c')
    layers.remove('second')
    expect(await ask()).toBe('d')
    layers.remove('first')
    expect(await ask()).toBe('a')
  })

  it('stay as they are when the same handlers are installed again', async () => {
    const { layers, ask } = create(a)
    layers.install('story', [b])
    await ask()
    const [before] = layers.entries()
    layers.install('story', [b])
    expect(layers.entries()[0]).toBe(before)
    layers.install('story', [b, c])
    expect(layers.entries()[0]).toMatchObject({ handler: b, hits: 0 })
  })
})

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

describe('onChange', () => {
  it('is called when the handlers of the layers change', () => {
    const { layers } = create(a)
    const listener = vi.fn<() => void>()
    const end = layers.onChange(listener)
    layers.use([b])
    layers.install('story', [c])
    layers.remove('story')
    layers.reset()
    layers.replaceInitial([b])
    layers.reset([a])
    expect(listener).toHaveBeenCalledTimes(6)
    // These calls change nothing.
    layers.reset()
    layers.remove('story')
    layers.restore()
    expect(listener).toHaveBeenCalledTimes(6)
    end()
    layers.use([b])
    expect(listener).toHaveBeenCalledTimes(6)
  })
})
