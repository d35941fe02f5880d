import { describeSwitching } from '../../../test/storybook/switching.ts'

describeSwitching('storybook-rsbuild', { extent: 'main', savesHandlers: true })
