import { describeFastSwitches } from '../../../test/storybook/fast-switches.ts'

describeFastSwitches('storybook-react-vite')
