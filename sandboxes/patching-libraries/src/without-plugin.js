import { setupWorker } from '@understudy/engine/browser'

import { ask } from './ask.js'
import { handlers } from './mocks/handlers.js'
import { patch } from './patch.js'

await patch(location.hash.slice(1))
await setupWorker(...handlers).start()
globalThis.answers = await ask()
