import { registerSW } from 'virtual:pwa-register'

void registerSW({ immediate: true })

window.ask = async (path) => {
  const response = await fetch(path)
  return (await response.json()).from
}

document.querySelector('main').textContent = await ask('/api/user')
