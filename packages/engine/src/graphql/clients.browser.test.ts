import { inject } from 'vitest'

import { describeSources } from '../browser/testing/describe-sources.ts'
import { checkClients } from './testing/check-clients.ts'

describeSources('clients of GraphQL', ({ use }) => checkClients(inject('upstream'), use))
