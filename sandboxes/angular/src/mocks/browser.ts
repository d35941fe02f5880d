import { setupWorker } from '@understudy/engine/browser'

import { handlers } from './handlers'

export const worker = setupWorker(...handlers)
