import { checkClient } from './check-client.ts'
import { toFetchClient } from './fetch-client.ts'

checkClient(
  'fetch',
  toFetchClient((url, init) => fetch(url, init)),
)
checkClient(
  'fetch with a Request',
  toFetchClient((url, init) => fetch(new Request(url, init))),
)
