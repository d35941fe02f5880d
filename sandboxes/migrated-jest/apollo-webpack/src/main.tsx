import { ApolloProvider } from '@apollo/client'
import { createRoot } from 'react-dom/client'

import { createClient } from './client'
import { Garden } from './Garden'

async function enableMocking() {
  if (process.env.NODE_ENV !== 'development') return
  const { worker } = await import('./mocks/browser')
  await worker.start()
}

void enableMocking().then(() => {
  createRoot(document.body.appendChild(document.createElement('div'))).render(
    <ApolloProvider client={createClient()}>
      <Garden />
    </ApolloProvider>,
  )
})
