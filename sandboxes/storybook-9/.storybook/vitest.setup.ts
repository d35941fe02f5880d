import { setProjectAnnotations } from '@storybook/react-vite'
import * as addon from '@understudy/storybook-addon/preview'

import * as preview from './preview.ts'

setProjectAnnotations([addon, preview])
