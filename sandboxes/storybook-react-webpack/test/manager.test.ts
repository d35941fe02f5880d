import { describeManager } from '../../../test/storybook/manager.ts'

describeManager('storybook-react-webpack')
