import { runInThisContext } from 'node:vm'

import { withoutContext } from './call-contexts.ts'
import { unwatchedOption } from './connect-options.ts'

/** The key under which Node and undici store the global dispatcher. */
const slot = Symbol.for('undici.globalDispatcher.1')
/** undici 8 stores it under this key, and under the other one a wrapper with the API of earlier versions. */
const slotOfUndici8 = Symbol.for('undici.globalDispatcher.2')
/** Node's main global object. The global object of a `node:vm` context, which test runners create, has neither key. */
const globals = runInThisContext('globalThis') as { [slot]?: object; [slotOfUndici8]?: object }

type Constructor = new (argument: object) => object

/** The classes of Node's default dispatchers. */
interface DefaultClasses {
  readonly Agent: Constructor
  readonly Wrapper: Constructor | undefined
}

let last: { dispatcher: object | undefined; classes: DefaultClasses | undefined } | undefined

function defaultClasses(): DefaultClasses | undefined {
  const dispatcher = globals[slot]
  if (!last || last.dispatcher !== dispatcher) last = { dispatcher, classes: readDefaultClasses(dispatcher) }
  return last.classes
}

function readDefaultClasses(dispatcher: object | undefined): DefaultClasses | undefined {
  const isWrapped = dispatcher?.constructor.name === 'Dispatcher1Wrapper'
  const agent = isWrapped ? globals[slotOfUndici8] : dispatcher
  if (!agent || !isDefaultAgent(agent)) return undefined
  return {
    Agent: agent.constructor as Constructor,
    Wrapper: isWrapped ? (dispatcher?.constructor as Constructor) : undefined,
  }
}

/** Returns whether it is an `Agent` without options, which a new instance of its class can replace. */
function isDefaultAgent(agent: object): boolean {
  const options = readByDescription(agent, 'options')
  const factory = readByDescription(agent, 'factory')
  return (
    agent.constructor.name === 'Agent' &&
    typeof options === 'object' &&
    options !== null &&
    Object.values(options).every((value) => value === undefined || value === Infinity) &&
    typeof factory === 'function' &&
    factory.name === 'defaultFactory'
  )
}

function readByDescription(holder: object, description: string): unknown {
  const key = Object.getOwnPropertySymbols(holder).find((symbol) => symbol.description === description)
  return key && Reflect.get(holder, key)
}

const unwatched = new WeakMap<Constructor, object>()

/**
 * Returns the dispatcher for requests on connections without interception; `undefined` if the app set the dispatcher of
 * this process (a proxy, certificates, undici's own mocks). The app's dispatcher is then used, and intercepted.
 */
export function unwatchedDispatcher(): object | undefined {
  const classes = defaultClasses()
  if (!classes) return undefined
  const { Agent, Wrapper } = classes
  let dispatcher = unwatched.get(Wrapper ?? Agent)
  if (!dispatcher) {
    const agent = new Agent({ connect: { [unwatchedOption]: true } }) as { dispatch: (...args: unknown[]) => unknown }
    const { dispatch } = agent
    agent.dispatch = (...args) => withoutContext(() => Reflect.apply(dispatch, agent, args))
    dispatcher = Wrapper ? new Wrapper(agent) : agent
    unwatched.set(Wrapper ?? Agent, dispatcher)
  }
  return dispatcher
}

const unconnected = new WeakMap<Constructor, object>()

/**
 * Returns the dispatcher that refuses a request as Node's `fetch` does before it connects, and otherwise fails with the
 * reason `accepted`; `undefined` if the app set the dispatcher of this process.
 */
export function unconnectedDispatcher(accepted: Error): object | undefined {
  const classes = defaultClasses()
  if (!classes) return undefined
  const { Agent, Wrapper } = classes
  let dispatcher = unconnected.get(Wrapper ?? Agent)
  if (!dispatcher) {
    const agent = new Agent({
      connect: (_options: object, callback: (error: Error) => void) => callback(accepted),
    })
    dispatcher = Wrapper ? new Wrapper(agent) : agent
    unconnected.set(Wrapper ?? Agent, dispatcher)
  }
  return dispatcher
}

/**
 * Gives the process a new connection pool. Otherwise, undici reuses connections from before interception, whose
 * requests would be missed, and after interception, it would reuse intercepted connections.
 *
 * @returns a function that restores the previous pool
 */
export function replaceGlobalPool(): () => void {
  const classes = defaultClasses()
  if (!classes) return () => {}
  const { Agent, Wrapper } = classes
  const before = { [slot]: globals[slot], [slotOfUndici8]: globals[slotOfUndici8] }
  const agent = new Agent({})
  const dispatcher = Wrapper ? new Wrapper(agent) : agent
  globals[slot] = dispatcher
  if (before[slotOfUndici8]) globals[slotOfUndici8] = agent
  return () => {
    // Other code may have set another dispatcher since.
    if (globals[slot] !== dispatcher) return
    Object.assign(globals, before[slotOfUndici8] ? before : { [slot]: before[slot] })
  }
}
