/**
 * A part of the state that handlers keep, such as the records of a collection. A handlers module exports parts by name, as
 * `state`, and the panel shows them. All functions may be asynchronous.
 *
 * @example
 * const plays = new Map([['1', { id: '1', title: 'Hamlet' }]])
 *
 * export const state = {
 *   plays: { read: () => [...plays.values()] },
 * } satisfies HandlersState
 */
export interface HandlersStatePart {
  /** Returns the state as plain data, as JSON can express it. */
  read(): unknown
  /** Replaces the state with an edited value of {@link read}. Without it, the panel cannot edit the state. */
  write?(value: never): void | Promise<void>
  /** Restores the initial state. The panel calls it on a click, and the Vitest and Storybook integrations between tests and stories. */
  reset?(): void | Promise<void>
}

/** The state of handlers, by name. See {@link HandlersStatePart}. */
export type HandlersState = Readonly<Record<string, HandlersStatePart>>
