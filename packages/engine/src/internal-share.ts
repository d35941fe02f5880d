export { fetchUnmocked, locatePrinted } from './browser/reports/locate-printed.ts'
export { inspect } from './inspect/inspect.ts'
export { sharePage } from './inspect/share-page.ts'
