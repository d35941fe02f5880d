import { describe, expect, it, vi } from 'vitest'

import { a, b, c, create, d, e, f, named } from './testing/named-handlers.ts'

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
