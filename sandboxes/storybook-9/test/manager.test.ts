import { testAccessibility } from '../../../test/storybook/manager/accessibility.ts'
import { describeManager } from '../../../test/storybook/manager/describe-manager.ts'
import { testDetails } from '../../../test/storybook/manager/details.ts'
import { testOverrides } from '../../../test/storybook/manager/overrides.ts'
import { testRequests } from '../../../test/storybook/manager/requests.ts'
import { testSaving } from '../../../test/storybook/manager/saving.ts'
import { testScenarios } from '../../../test/storybook/manager/scenarios.ts'

describeManager('storybook-9', [testOverrides, testRequests, testDetails, testSaving, testScenarios, testAccessibility])
