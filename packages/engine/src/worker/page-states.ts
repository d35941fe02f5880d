import type { MockingPage } from './connection.ts'

/**
 * The known state of a page that has not connected.
 *
 * - `'loading'`: its navigation has started, and none of its scripts has sent a message.
 * - `'prerendered'`: the browser has not shown it yet. Until then, it defers the messages and locks of the page.
 * - `'announced'`: its first script has announced that mocking will start. A busy page gets its lock later.
 * - `'starting'`: its lock shows the same to a restarted worker.
 * - `'mocking'`: it mocks, and was connected before this worker was restarted.
 * - `'left'`: it mocked until it was unloaded, or entered the back/forward cache.
 * - `'not-understood'`: it has another version, whose route tables have another form.
 */
export type Expectation = 'loading' | 'prerendered' | 'announced' | 'starting' | 'mocking' | 'left' | 'not-understood'

/** Returns whether a page mocks or is about to. */
export function mayMock(state: Expectation | undefined): boolean {
  return ['announced', 'starting', 'mocking', 'not-understood'].includes(state ?? '')
}

/**
 * The pages that answer the requests of a client, or one of these states.
 *
 * - `'unmocked'`: the client does not mock.
 * - `'gone'`: its page mocked, and was closed.
 * - `'others'`: the client has no own handlers (a web worker, a frame, or a client without a known id). Other pages
 * answer.
 */
export type Answerer = MockingPage | 'unmocked' | 'gone' | 'others'
