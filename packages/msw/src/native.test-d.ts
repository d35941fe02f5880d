import { expectTypeOf, test } from 'vitest'

import { http } from './index.ts'
import { setupServer } from './native.ts'

test('a file that a generator writes for React Native compiles', () => {
  const handlers = [http.get('/user', () => undefined)]
  const server: Pick<ReturnType<typeof setupServer>, 'listen' | 'close' | 'events'> = setupServer(...handlers)
  expectTypeOf(server.listen).toBeCallableWith({ onUnhandledRequest: 'error' })
})
