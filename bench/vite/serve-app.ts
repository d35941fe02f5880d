/** Serves an app with Vite, and prints its URL: `node serve-app.ts <folder>`. */
import { createServer } from 'vite'

const server = await createServer({
  root: process.argv[2] ?? '',
  logLevel: 'error',
  server: { port: 0, host: '127.0.0.1' },
})
await server.listen()
process.send?.(server.resolvedUrls?.local[0])
process.on('disconnect', () => process.exit())
