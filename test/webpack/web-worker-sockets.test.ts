import { webpack as kinds } from '../acceptance/web-worker-sockets-page.ts'
import { testWebWorkerSockets } from '../acceptance/web-worker-sockets.ts'
import { rspack, webpack } from './tools.ts'

testWebWorkerSockets(webpack, { own: kinds })
testWebWorkerSockets(rspack, { own: kinds })
