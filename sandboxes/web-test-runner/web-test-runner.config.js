import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { chromeLauncher } from '@web/test-runner'

const worker = readFileSync(fileURLToPath(import.meta.resolve('@understudy/engine/worker')), 'utf8')

export default {
  files: 'tests/*.test.js',
  nodeResolve: true,
  middleware: [
    function serveWorker(context, next) {
      if (context.path !== '/understudy-worker.js') return next()
      context.type = 'text/javascript'
      context.body = worker
      return undefined
    },
  ],
  browsers: [
    chromeLauncher({
      launchOptions: {
        executablePath: process.env.UNDERSTUDY_CHROMIUM,
        args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      },
    }),
  ],
}
