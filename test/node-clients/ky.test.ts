import ky from 'ky'

import { checkClient } from './check-client.ts'
import { toFetchClient } from './fetch-client.ts'

checkClient(
  'ky',
  toFetchClient((url, init) => ky(url, { ...init, retry: 0, throwHttpErrors: false })),
)
