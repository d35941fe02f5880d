import type { Compiler } from '../compiler.ts'

/**
 * Frameworks, by an alias that they add to the options of their compilers, with the paths or queries at which their pages request data.
 */
const requests: readonly (readonly [alias: string, url: string])[] = [
  ['gatsby$', String.raw`\/(?:page|slice)-data\/`],
  ['@_modern_js_src', String.raw`\?(?:[^#]*&)?__loader=`],
]

/**
 * Returns a regular expression for the URLs at which pages of the project's framework request their data; `undefined` without such a
 * framework. A handler such as `http.all('*')` would answer these requests, and the app would not load its pages.
 */
export function findPageData({ resolve }: Compiler['options']): string | undefined {
  const aliases = Object.keys(resolve?.alias || {})
  const found = requests.filter(([alias]) => aliases.includes(alias))
  return found.length === 0 ? undefined : `^[^?#]*(?:${found.map(([, url]) => url).join('|')})`
}
