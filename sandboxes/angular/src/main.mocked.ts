// The entry of the development configuration. The app starts only when mocking is on.
import { worker } from './mocks/browser'

await worker.start({ serviceWorker: { url: '/worker.js' } })
await import('./main')
