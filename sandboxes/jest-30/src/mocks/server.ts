import { setupServer } from '@understudy/engine/node'

import { handlers } from './handlers'

export const server = setupServer(...handlers)
