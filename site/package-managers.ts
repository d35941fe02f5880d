/** The part of VitePress's `MarkdownRenderer` that is in use. A test imports this file without VitePress. */
interface MarkdownRenderer {
  readonly core: {
    readonly ruler: { before(next: string, name: string, rule: (state: { src: string }) => void): void }
  }
}

/** The commands that install packages for development and run a package's command, by package manager. */
const managers: readonly (readonly [name: string, install: string, uninstall: string])[] = [
  ['npm', 'npm install --save-dev', 'npm uninstall'],
  ['pnpm', 'pnpm add --save-dev', 'pnpm remove'],
  ['Yarn', 'yarn add --dev', 'yarn remove'],
  ['Bun', 'bun add --dev', 'bun remove'],
]

/**
 * Replaces a code block that only installs packages with npm by a group of tabs, one for each package manager. Pages
 * keep the plain block, because they are also read as files.
 */
export function offerPackageManagers(md: MarkdownRenderer): void {
  md.core.ruler.before('block', 'package-managers', (state) => {
    state.src = toTabs(state.src)
  })
}

/** Returns the text of a page with the groups, in the syntax of VitePress. */
export function toTabs(text: string): string {
  return text.replace(
    /^( *)```sh\n((?:\1npm (?:install --save-dev|uninstall) [^\n]+\n)+)\1```$/gm,
    (_block, indent: string, commands: string) => {
      const tabs = managers.map(([name, install, uninstall]) => {
        const own = commands
          .replaceAll('npm install --save-dev ', `${install} `)
          .replaceAll('npm uninstall ', `${uninstall} `)
        return `${indent}\`\`\`sh [${name}]\n${own}${indent}\`\`\``
      })
      return `${indent}::: code-group\n\n${tabs.join('\n\n')}\n\n${indent}:::`
    },
  )
}
