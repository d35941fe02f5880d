import { describeScenarios } from '../../../test/storybook/scenarios.ts'

describeScenarios('storybook-react-vite')
