import { describeSwitching } from '../../../test/storybook/switching.ts'

describeSwitching('storybook-rsbuild', 'main', true)
