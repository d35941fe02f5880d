/** The module that a page evaluates first. */
export const bootstrapId = 'virtual:understudy/bootstrap'
/** The module that loads the handlers and accepts their hot updates. */
export const handlersId = 'virtual:understudy/handlers'
/** The module that an entry imports first if no HTML page of Vite contains the gate. */
export const entryId = 'virtual:understudy/entry'
/** The module that a web worker evaluates first. */
export const webWorkerId = 'virtual:understudy/web-worker'
/** The module that mocks requests of the dev server's process, and the module that loads its handlers. */
export const serverId = 'virtual:understudy/server'
export const serverHandlersId = 'virtual:understudy/server-handlers'
/** Both modules in one, for the thread in which Nuxt renders. */
export const nuxtId = 'virtual:understudy/nuxt'

/** The prefix with which Vite marks virtual modules. */
export const virtual = (id: string): string => `\0${id}`

/** Returns whether a module is one of the plugin's own. */
export const isOurs = (id: string | undefined): boolean => id?.startsWith(virtual('virtual:understudy/')) ?? false
