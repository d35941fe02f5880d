import { describeSwitching } from '../../../test/storybook/switching.ts'

describeSwitching('storybook-react-webpack', { extent: 'main' })
