import { describe } from '../core/describe.ts'
import { failure } from '../core/failure.ts'

/** The parts of an event as callers pass them. */
export interface EventParts {
  id?: unknown
  event?: unknown
  data?: unknown
  retry?: unknown
}

/**
 * Formats an event for a stream.
 *
 * @throws {UnderstudyError} if a part would not arrive, or would arrive changed
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export function formatEvent(parts: EventParts): string {
  if (typeof parts !== 'object' || parts === null) {
    throw unsendable(`it is ${describe(parts)}`, "Pass an object: client.send({ data: 'hello' }).")
  }
  const { id, event, data, retry } = parts
  const lines: string[] = []
  if (retry !== undefined) lines.push(`retry: ${checkRetry(retry)}`)
  if (id !== undefined) lines.push(`id: ${checkLine('id', id)}`)
  if (event !== undefined && event !== 'message') lines.push(`event: ${checkLine('event', event)}`)
  if ('data' in parts) for (const line of toText(data).split(/\r\n|\n|\r/)) lines.push(`data: ${line}`)
  // Clients do not dispatch an event without a line of data, so an event without data gets an empty line.
  else if (event !== undefined) lines.push('data:')
  if (lines.length === 0) {
    throw unsendable('it has no data', "Give it data, an event, an id or a retry: client.send({ data: 'hello' }).")
  }
  return `${lines.join('\n')}\n\n`
}

function toText(data: unknown): string {
  if (data === undefined || typeof data === 'function' || typeof data === 'symbol') {
    throw unsendable(
      `its data is ${typeof data === 'symbol' ? 'a symbol' : describe(data)}`,
      'Send text, or what JSON can hold.',
    )
  }
  const text = (typeof data === 'object' ? JSON.stringify(data) : `${data as string}`) as string | undefined
  // `toJSON` may return nothing.
  if (text === undefined)
    throw unsendable(`its data is ${describe(data)} that is undefined as JSON`, 'Send text, or what JSON can hold.')
  return text
}

function checkLine(field: 'id' | 'event', value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? `${value}` : '\n'
  if (/[\r\n]/.test(text) || (field === 'id' && text.includes('\0'))) {
    throw unsendable(
      `its ${field} is ${describe(value)}`,
      `An ${field} is one line of text${field === 'id' ? ', without NUL characters' : ''}.`,
    )
  }
  return text
}

function checkRetry(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw unsendable(`its retry is ${describe(value)}`, 'A retry is a time in milliseconds: a whole number, 0 or more.')
  }
  return value
}

function unsendable(reason: string, action: string): Error {
  return failure('US0622', 'send an event', reason, action)
}
