import type { InspectedBody } from '@understudy/engine/inspect'

/** An event of an event stream. */
export interface StreamEvent {
  /** `message` if the stream names no type. */
  readonly type: string
  /** `null` if the event has no id. */
  readonly id: string | null
  readonly data: string
  /** The time when it arrived, in milliseconds since 1970. Missing: unknown. */
  readonly at?: number
}

/**
 * Parses the text of an event stream. The last event is left out until the blank line after it has arrived.
 *
 * Source: HTML, "Interpreting an event stream".
 *
 * @param arrivals the time of each part of the text, and the position where it ends
 */
export function parseEvents(text: string, arrivals: InspectedBody['arrivals'] = []): readonly StreamEvent[] {
  const events: StreamEvent[] = []
  let type = ''
  let id: string | null = null
  let data: string[] = []
  let start = text.startsWith('\uFEFF') ? 1 : 0
  let part = 0
  // The text after the last end of a line may be incomplete.
  for (const { 0: ending, index } of text.matchAll(/\r\n|\n|\r/g)) {
    const line = text.slice(start, index)
    start = index + ending.length
    if (line === '') {
      // The last character of an event can be the first half of a line ending.
      while (part < arrivals.length && (arrivals[part]?.end ?? 0) <= index) part += 1
      const at = arrivals[part]?.at
      if (data.length > 0) {
        events.push({ type: type || 'message', id, data: data.join('\n'), ...(at !== undefined && { at }) })
      }
      type = ''
      id = null
      data = []
      continue
    }
    const [field, rest = ''] = splitAtColon(line)
    const value = rest.replace(/^ /, '')
    if (field === 'data') data.push(value)
    else if (field === 'event') type = value
    else if (field === 'id' && !value.includes('\0')) id = value
  }
  return events
}

function splitAtColon(line: string): readonly [field: string, rest?: string] {
  const colon = line.indexOf(':')
  return colon === -1 ? [line] : [line.slice(0, colon), line.slice(colon + 1)]
}
