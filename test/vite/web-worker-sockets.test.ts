import { testWebWorkerSockets } from '../acceptance/web-worker-sockets.ts'
import { vite } from './vite.ts'

testWebWorkerSockets(vite)
