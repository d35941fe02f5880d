import { describeStaticBuild } from '../../../test/storybook/static-build.ts'

describeStaticBuild('storybook-react-webpack')
