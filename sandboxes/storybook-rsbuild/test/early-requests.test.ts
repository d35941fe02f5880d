import { describeEarlyRequests } from '../../../test/storybook/early-requests.ts'

describeEarlyRequests('storybook-rsbuild')
