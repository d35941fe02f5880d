export { expose } from './browser/start/expose.ts'
