import { setProjectAnnotations } from '@storybook/react-vite'
import understudy from '@understudy/storybook-addon'
import { beforeAll } from 'vitest'

import * as preview from '../.storybook/preview.ts'
import { handlers } from '../src/mocks/handlers.ts'

// Where a page has no clipboard, Storybook gives play functions no user.
Object.defineProperty(navigator, 'clipboard', { value: new EventTarget(), configurable: true })

const project = setProjectAnnotations([understudy({ handlers }), preview])
beforeAll(project.beforeAll)
