import type { CDPSession } from 'playwright'
import { expect, test } from 'vitest'

import { openVisit } from '../acceptance/browser.ts'
import { openPreview, type PreviewPage } from './preview-page.ts'
import { serveFolder } from './serve-folder.ts'
import type { BuiltStorybook } from './static-build.ts'

/** The numbers that must not grow: the contents of the network, and objects that every story and request creates. */
interface Held {
  readonly handlers: number
  /** Functions that are called with decisions, steps of requests, and connections. */
  readonly listeners: number
  /** Pending requests. */
  readonly underWay: number
  readonly controllers: number
  readonly requests: number
}

async function countHeld({ page }: PreviewPage, session: CDPSession): Promise<Held> {
  const count = async (prototype: string): Promise<number> => {
    const { result } = await session.send('Runtime.evaluate', { expression: prototype })
    const { objects } = await session.send('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' })
    const { result: length } = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: 'function () { return this.length }',
      ...(objects.objectId !== undefined && { objectId: objects.objectId }),
      returnByValue: true,
    })
    if (objects.objectId !== undefined) await session.send('Runtime.releaseObject', { objectId: objects.objectId })
    return length.value as number
  }
  const network = await page.evaluate(() => {
    const shared = globalThis as unknown as Record<
      symbol,
      { mocking: { network: { layers: { entries(): unknown[] }; underWay: Set<unknown> } } }
    >
    const { layers, underWay } = shared[Symbol.for('understudy:storybook')]!.mocking.network
    return { handlers: layers.entries().length, underWay: underWay.size }
  })
  let listeners = 0
  for (const name of ['decisions', 'progress', 'connections']) listeners += await countListeners(session, name)
  await session.send('HeapProfiler.collectGarbage')
  return {
    ...network,
    listeners,
    controllers: await count('AbortController.prototype'),
    requests: await count('Request.prototype'),
  }
}

/** The functions that one of the network's lists calls. The list is private, and only a debugger sees it. */
async function countListeners(session: CDPSession, name: string): Promise<number> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: `globalThis[Symbol.for('understudy:storybook')].mocking.network.${name}`,
  })
  const { privateProperties = [] } = await session.send('Runtime.getProperties', { objectId: result.objectId ?? '' })
  expect(privateProperties, name).toHaveLength(1)
  const { result: size } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: 'function () { return this.size }',
    objectId: privateProperties[0]?.value?.objectId ?? '',
    returnByValue: true,
  })
  expect(typeof size.value, name).toBe('number')
  return size.value as number
}

/** Switches between a story whose request never ends, and two that are answered. */
async function switchStories({ page }: PreviewPage, times: number): Promise<void> {
  await page.evaluate(async (count) => {
    const { __STORYBOOK_ADDONS_CHANNEL__: channel } = globalThis as unknown as {
      __STORYBOOK_ADDONS_CHANNEL__: {
        emit(name: string, value: unknown): void
        once(name: string, listener: () => void): void
      }
    }
    const ids = ['components-boatlist--loading', 'components-boatlist--empty', 'components-tides--today']
    for (let index = 0; index < count; index += 1) {
      const finished = new Promise<void>((resolve) => {
        channel.once('storyFinished', () => resolve())
      })
      channel.emit('setCurrentStory', { storyId: ids[index % ids.length], viewMode: 'story' })
      await finished
    }
  }, times)
}

/**
 * Tests that many stories, one after the other, leave nothing in memory.
 *
 * @param built with the option `quiet`: the console keeps what is printed there, requests and responses among it
 */
export function testGrowth(built: BuiltStorybook): void {
  test.each([
    ['by a service worker', 'localhost'],
    ['in the page itself', 'storybook.test'],
  ])('after 120 more switches no more is held than after the first: %s', async (_how, host) => {
    const server = await serveFolder(built.folder, '/')
    const visit = await openVisit(built.browser)
    const preview = openPreview(visit.page, server.root.replace('localhost', host))
    await preview.open('components-tides--today')
    await expect.poll(() => preview.text()).toContain('4.1 m')
    await preview.rendered('components-tides--today')
    await preview.mark()
    const session = await visit.context.newCDPSession(visit.page)
    await session.send('HeapProfiler.enable')
    await switchStories(preview, 60)
    const before = await countHeld(preview, session)
    await switchStories(preview, 120)
    const after = await countHeld(preview, session)
    expect(await preview.isMarked()).toBe(true)
    expect([after.handlers, after.listeners]).toEqual([before.handlers, before.listeners])
    // A late request ends with the story after its own.
    expect(after.underWay).toBeLessThan(3)
    // The objects of the last stories may not be collected yet. If each story without a response left one, there would be 40.
    expect(after.controllers - before.controllers).toBeLessThan(25)
    expect(after.requests - before.requests).toBeLessThan(25)
    await visit.close()
    await server.stop()
  })
}
