/**
 * Returns whether one of the plugins has a name that begins with a text.
 *
 * @param plugins Vite also accepts plugins without a name, although its types require one
 */
export function hasPlugin(plugins: readonly { readonly name?: string }[], start: string): boolean {
  return plugins.some(({ name }) => name?.startsWith(start))
}
