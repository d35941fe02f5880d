import { ask } from './ask.js'

ask('/api/host')
import('remote/widget').then(({ render }) => render(document.querySelector('main')))

window.startRemoteEngine = async () => {
  const { startEngine } = await import('remote/engine')
  return startEngine()
}
