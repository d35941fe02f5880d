import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './App'

async function enableMocking() {
  if (!import.meta.env.DEV) return
  const { worker } = await import('./mocks/browser')
  await worker.start({
    serviceWorker: { url: '/understudy-worker.js' },
    onUnhandledRequest: 'bypass',
  })
}

void enableMocking().then(() => {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
})
