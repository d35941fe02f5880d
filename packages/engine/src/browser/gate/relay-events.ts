import type { PageScope } from './gate.ts'
import { wrapProperty } from './wrap-property.ts'

/** Dispatches the events of one object on another, so that `this` and `event.target` are the app's object. */
export function relayEvents(scope: PageScope, from: EventTarget, to: EventTarget, types: Iterable<string>): void {
  for (const type of types) {
    from.addEventListener(type, (event) => {
      // An event can be dispatched only once, so dispatch a copy with the same properties.
      const Copy = eventConstructor(scope, event)
      // An error of a worker is reported unless a listener prevents that.
      if (!to.dispatchEvent(new Copy(type, event))) event.preventDefault()
    })
  }
}

type EventConstructor = new (type: string, init: object) => Event

function eventConstructor(scope: PageScope, event: Event): EventConstructor {
  if ('data' in event) return scope.MessageEvent
  if ('code' in event) return scope.CloseEvent
  if ('lineno' in event) return scope.ErrorEvent
  return 'loaded' in event ? scope.ProgressEvent : scope.Event
}

/** Calls a function with the type of every listener that is added to an object from now on. */
export function watchListeners(target: EventTarget, onListener: (type: string) => void): void {
  Object.defineProperty(target, 'addEventListener', {
    value: Reflect.get(target, 'addEventListener'),
    configurable: true,
    writable: true,
  })
  wrapProperty(target, 'addEventListener', {
    call(_self, [type]: [string], native) {
      onListener(type)
      return native()
    },
  })
}
