import { createServer } from 'node:http'

import { answer } from '../subjects/msw-like.ts'

/** What requests reach that nobody mocks: `node real-server.ts`, told its port by message. */
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(answer))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : undefined)
})
process.on('disconnect', () => process.exit())
