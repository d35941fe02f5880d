import type { ResolvedConfig } from 'vite'

import { hasPlugin } from '../has-plugin.ts'

/** The end of a path. A query may follow. */
const end = '(?![^?#])'

/** The part of a query before the name of a parameter. A fragment may follow the query. */
const before = '(?:[^#]*&)?'

/**
 * Frameworks, by the start of the names of their plugins, with the paths or queries at which their pages request data with
 * `fetch`.
 */
const requests: readonly (readonly [plugin: string, url: string])[] = [
  ['vite-plugin-sveltekit', String.raw`__data\.json${end}`],
  ['react-router', String.raw`\.data${end}|\/__manifest${end}`],
  ['react-router/rsc', String.raw`\.manifest${end}`],
  // Remix 2 uses the query, unless single fetch is on.
  ['remix', String.raw`\.data${end}|\/__manifest${end}|\?${before}_data=`],
  // The plugin of React Server Components, which the frameworks use. Its starter and React Router share the suffix.
  ['rsc:', String.raw`\.rsc${end}`],
  ['vite-plugin-qwik-city', String.raw`\/q-data\.json${end}`],
  ['vike:', String.raw`\.pageContext\.json${end}`],
  ['waku:', String.raw`\/RSC\/`],
  ['nuxt:', String.raw`\/_payload\.json${end}`],
  // RedwoodSDK. Calls of server functions have an id; a hot update of the server's code is such a call.
  ['rwsdk:', String.raw`\?(?!${before}__rsc_action_id=(?!__rsc_hot_update))${before}__rsc=`],
  ['@analogjs/vite-plugin-nitro', String.raw`\/_analog\/pages\/`],
]

/** Frameworks that also request the data of a page from their own server while they render it. */
const rendering: readonly string[] = ['@analogjs/vite-plugin-nitro']

/**
 * Returns a regular expression for the URLs at which pages of the project's framework request their data; `undefined` without such a
 * framework. A handler such as `http.all('*')` would answer these requests, and links of the app would fail.
 */
export function findPageData({ plugins }: Pick<ResolvedConfig, 'plugins'>): string | undefined {
  return toPattern(requests.filter(([plugin]) => hasPlugin(plugins, plugin)))
}

/** Returns the same for the requests that the framework makes while it renders. */
export function findRenderedData({ plugins }: Pick<ResolvedConfig, 'plugins'>): string | undefined {
  return toPattern(requests.filter(([plugin]) => rendering.includes(plugin) && hasPlugin(plugins, plugin)))
}

function toPattern(found: typeof requests): string | undefined {
  return found.length === 0 ? undefined : `^[^?#]*(?:${found.map(([, url]) => url).join('|')})`
}
