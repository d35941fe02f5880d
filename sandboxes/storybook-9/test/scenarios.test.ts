import { describeScenarios } from '../../../test/storybook/scenarios.ts'

describeScenarios('storybook-9')
