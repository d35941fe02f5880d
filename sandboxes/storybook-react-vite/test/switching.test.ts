import { testAddedHandlers } from '../../../test/storybook/added-handlers.ts'
import { testCaches } from '../../../test/storybook/caches.ts'
import { describeSwitching } from '../../../test/storybook/switching.ts'

describeSwitching('storybook-react-vite', {
  more(page) {
    testCaches(page)
    testAddedHandlers(page)
  },
})
