import { beforeAll } from '@jest/globals'
import { setProjectAnnotations } from '@storybook/react'
import understudy from '@understudy/storybook-addon'

import * as preview from './.storybook/preview.ts'
import { handlers } from './src/mocks/handlers.ts'

const project = setProjectAnnotations([understudy({ handlers }), preview])
beforeAll(() => project.beforeAll())
