import { http, HttpResponse } from '@understudy/engine'
import { setupServer } from '@understudy/engine/node'

const server = setupServer(http.get('https://api.example.com/user', () => HttpResponse.json({ name: 'Ada' })))
server.listen({ onUnhandledRequest: 'error' })
console.log(JSON.stringify(await (await fetch('https://api.example.com/user')).json()))
server.close()
