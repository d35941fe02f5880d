import { setProjectAnnotations } from '@storybook/react-vite'
import understudy from '@understudy/storybook-addon'
import { beforeAll } from 'vitest'

import * as preview from '../.storybook/preview.ts'
import { handlers } from '../src/mocks/handlers.ts'

// In a page without a clipboard, Storybook passes no user to play functions.
Object.defineProperty(navigator, 'clipboard', { value: new EventTarget(), configurable: true })

const project = setProjectAnnotations([understudy({ handlers }), preview])
beforeAll(project.beforeAll)
