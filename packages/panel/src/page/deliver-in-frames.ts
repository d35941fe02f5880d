import type { InspectionPort } from '@understudy/engine/inspect'

/**
 * Without a frame for this time in milliseconds, messages are delivered without one: the page may be in a frame that is
 * not displayed, such as that of a closed dock.
 */
const longestWait = 100

/** Above this number of waiting messages, they are delivered at once. Browsers delay the timers of hidden pages. */
const mostWaiting = 50

/**
 * Delivers the states of networks at the start of a frame. Merging and rendering them then has the whole frame, and does
 * not delay one that has already begun. Other messages are delivered at once, after the states before them.
 */
export function deliverInFrames(port: InspectionPort): InspectionPort {
  return {
    send: (message) => port.send(message),
    listen(listener) {
      let waiting: unknown[] = []
      let frame = 0
      let timer: ReturnType<typeof setTimeout> | undefined

      function take(): readonly unknown[] {
        cancelAnimationFrame(frame)
        clearTimeout(timer)
        const taken = waiting
        waiting = []
        return taken
      }

      function deliver(): void {
        for (const message of take()) {
          try {
            listener(message)
          } catch (error) {
            // The later messages are still delivered, as if each was a separate event.
            reportError(error)
          }
        }
      }

      const end = port.listen((message) => {
        waiting.push(message)
        if (!isState(message) || waiting.length > mostWaiting) deliver()
        else if (waiting.length === 1) {
          frame = requestAnimationFrame(deliver)
          timer = setTimeout(deliver, longestWait)
        }
      })
      return () => {
        take()
        end()
      }
    },
  }
}

function isState(message: unknown): boolean {
  return (message as { type?: unknown } | null)?.type === 'state'
}
