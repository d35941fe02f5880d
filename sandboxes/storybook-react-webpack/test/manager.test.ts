import { describeManager } from '../../../test/storybook/manager/describe-manager.ts'
import { testHandlers } from '../../../test/storybook/manager/handlers.ts'
import { testFirstOverrides } from '../../../test/storybook/manager/overrides.ts'
import { testSaving } from '../../../test/storybook/manager/saving.ts'

// The log, the accessibility and the toolbar of the panel do not depend on the builder: `storybook-react-vite` tests them.
describeManager('storybook-react-webpack', [testSaving, testHandlers, testFirstOverrides])
