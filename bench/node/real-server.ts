import { createServer } from 'node:http'

import { answer } from '../subjects/msw-like.ts'

/** Answers the unmocked requests: `node real-server.ts`. Sends its port to the parent process in a message. */
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify(answer))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? address?.port : undefined)
})
process.on('disconnect', () => process.exit())
