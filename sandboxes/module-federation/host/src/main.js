import { ask } from './ask.js'

await ask('/api/host')
const { render } = await import('remote/widget')
await render(document.querySelector('main'))

window.startRemoteEngine = async () => {
  const { startEngine } = await import('remote/engine')
  return startEngine()
}
