import type { InspectionPort } from '@understudy/engine/inspect'

/** Combines several ports into one. Messages are sent to all of them. */
export function joinPorts(...ports: readonly InspectionPort[]): InspectionPort {
  return {
    send(message) {
      for (const port of ports) port.send(message)
    },
    listen(listener) {
      const ends = ports.map((port) => port.listen(listener))
      return () => {
        for (const end of ends) end()
      }
    },
  }
}
