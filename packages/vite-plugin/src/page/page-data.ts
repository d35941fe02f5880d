import type { ResolvedConfig } from 'vite'

import { hasPlugin } from '../has-plugin.ts'

/** Frameworks, by the start of the names of their plugins, with the paths at which their pages request data with `fetch`. */
const paths: readonly (readonly [plugin: string, path: string])[] = [
  ['vite-plugin-sveltekit', String.raw`__data\.json$`],
  ['react-router', String.raw`\.data$|\/__manifest$`],
  ['react-router/rsc', String.raw`\.manifest$`],
  // The plugin of React Server Components, which the frameworks use. Its starter and React Router share the suffix.
  ['rsc:', String.raw`\.rsc$`],
  ['vite-plugin-qwik-city', String.raw`\/q-data\.json$`],
  ['vike:', String.raw`\.pageContext\.json$`],
  ['waku:', String.raw`\/RSC\/`],
  ['nuxt:', String.raw`\/_payload\.json$`],
]

/**
 * Returns a regular expression for the paths at which pages of the project's framework request their data; `undefined` without such a
 * framework. A handler such as `http.all('*')` would answer these requests, and links of the app would fail.
 */
export function findPageData({ plugins }: Pick<ResolvedConfig, 'plugins'>): string | undefined {
  const found = paths.filter(([plugin]) => hasPlugin(plugins, plugin))
  return found.length === 0 ? undefined : found.map(([, path]) => path).join('|')
}
