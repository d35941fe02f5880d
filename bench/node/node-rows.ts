import type { NodeRow } from './node-row.ts'
import { graphqlMatching } from './rows/graphql-matching.ts'
import { httpRequest } from './rows/http-request.ts'
import { matching } from './rows/matching.ts'
import { memory } from './rows/memory.ts'
import { mockedFetch } from './rows/mocked-fetch.ts'
import { passthroughFetch } from './rows/passthrough-fetch.ts'
import { testCycles, useAndReset } from './rows/runtime-handlers.ts'

export const nodeRows: readonly NodeRow[] = [
  matching,
  graphqlMatching,
  mockedFetch,
  passthroughFetch,
  httpRequest,
  useAndReset,
  testCycles,
  memory,
]
