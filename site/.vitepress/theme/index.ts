import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'

import { HeroCode } from './hero-code.ts'
import { OpenInPlayground, Playground } from './playground.ts'

import './playground.css'
import './style.css'

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, undefined, { 'home-hero-image': () => h(HeroCode) }),
  enhanceApp({ app }) {
    app.component('Playground', Playground)
    app.component('OpenInPlayground', OpenInPlayground)
  },
} satisfies Theme
