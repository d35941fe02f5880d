/** The module that a page evaluates first. */
export const bootstrapId = 'virtual:understudy/bootstrap'
/** The module that brings the handlers, and is told when they are edited. */
export const handlersId = 'virtual:understudy/handlers'
/** The module that an entry imports first, where no HTML page of Vite's brings the gate. */
export const entryId = 'virtual:understudy/entry'
/** The module that answers requests of the dev server's own process, and the one that brings it the handlers. */
export const serverId = 'virtual:understudy/server'
export const serverHandlersId = 'virtual:understudy/server-handlers'
/** Both in one, for the thread in which Nuxt renders. */
export const nuxtId = 'virtual:understudy/nuxt'

/** How Vite marks modules that are no files. */
export const virtual = (id: string): string => `\0${id}`
