import { describeManager } from '../../../test/storybook/manager/describe-manager.ts'

describeManager('storybook-react-webpack')
