export { inspect } from './inspect/inspect.ts'
export { sharePage } from './inspect/share-page.ts'
