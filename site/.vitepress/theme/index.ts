import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'

import { OpenInPlayground, Playground } from './playground.ts'

import './playground.css'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Playground', Playground)
    app.component('OpenInPlayground', OpenInPlayground)
  },
} satisfies Theme
