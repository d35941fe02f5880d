/** The page of the floods: mocks everything below `/api/`, and runs a load. */
import { setupWorker } from '../../packages/engine/src/browser.ts'
import { loads, type Parameters, type Place } from './loads.ts'

let place: Place = { origin: location.origin, name: 'page' }

Object.assign(globalThis, {
  /** Starts mocking with the handlers of a load. */
  async start(name: keyof typeof loads, parameters: Parameters, pageName: string) {
    place = { origin: location.origin, name: pageName }
    const worker = setupWorker(...loads[name].createHandlers(place, parameters))
    await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  },
  /** Runs the load and returns its tally. */
  flood: (name: keyof typeof loads, parameters: Parameters) => loads[name].run(place, parameters),
})
