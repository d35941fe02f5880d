import { expect } from 'vitest'

/** The types of the events of an XMLHttpRequest. */
export const types = ['readystatechange', 'loadstart', 'progress', 'abort', 'error', 'load', 'timeout', 'loadend']

/** Records the events of an XMLHttpRequest with its state, by listeners and by attributes. */
export function watch(xhr: XMLHttpRequest): string[] {
  const events: string[] = []
  for (const type of types) {
    xhr.addEventListener(type, function (this: unknown, event) {
      expect(this).toBe(xhr)
      expect(event.target).toBe(xhr)
      events.push(`${type} ${xhr.readyState}`)
    })
  }
  return events
}

/** Waits for an event, which must be dispatched at this object. */
export function until(xhr: XMLHttpRequest, type: 'load' | 'loadend' = 'load'): Promise<ProgressEvent> {
  return new Promise((resolve) => {
    xhr[`on${type}`] = function (event) {
      expect(this).toBe(xhr)
      resolve(event)
    }
  })
}
