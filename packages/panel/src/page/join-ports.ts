import type { InspectionPort } from '@understudy/engine/inspect'

/** Makes one port of several: what is sent goes to all. */
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
