import type { Compilation, Compiler } from './compiler.ts'
import { createGateScript } from './page-modules.ts'
import { pluginName, type Project } from './project.ts'

/** A tag, as html-webpack-plugin and Rspack's HtmlRspackPlugin describe it. */
interface Tag {
  tagName: string
  attributes: Record<string, string | boolean>
  voidTag: boolean
  innerHTML: string
  meta: object
}

interface HtmlHook<Data> {
  tap(options: { name: string; stage: number }, callback: (data: Data) => Data): void
}

interface HtmlPlugin {
  getCompilationHooks(compilation: Compilation): {
    alterAssetTagGroups: HtmlHook<{ headTags: Tag[] }>
    beforeEmit: HtmlHook<{ html: string }>
  }
}

/** Before what others do to tags and pages: they may give scripts a nonce, or count them into a policy. */
const stage = -1000

/**
 * Puts the gate in front of every page that a plugin makes, as its first script: what stands in a page runs before
 * any entry.
 */
export function gatePages({ compiler }: Project, neverHeld: readonly string[]): void {
  compiler.hooks.thisCompilation.tap(pluginName, (compilation) => {
    for (const plugin of listHtmlPlugins(compiler)) {
      const hooks = plugin.getCompilationHooks(compilation)
      hooks.alterAssetTagGroups.tap({ name: pluginName, stage }, (data) => {
        const innerHTML = createGateScript(neverHeld)
        const attributes = { 'data-understudy': true }
        data.headTags.unshift({
          tagName: 'script',
          attributes,
          voidTag: false,
          innerHTML,
          meta: { plugin: pluginName },
        })
        return data
      })
      hooks.beforeEmit.tap({ name: pluginName, stage }, (data) => {
        data.html = moveGateUp(data.html)
        return data
      })
    }
  })
}

/** Tags are put at the end of a page's head: the gate belongs before the scripts that its author wrote. */
function moveGateUp(html: string): string {
  const [gate] = /<script\b[^>]*\bdata-understudy\b[^>]*>[^]*?<\/script>/.exec(html) ?? []
  if (gate === undefined) return html
  const rest = html.replace(gate, () => '')
  const firstScript = [...rest.matchAll(/<!--[^]*?-->|<script\b/gi)].find(([text]) => !text.startsWith('<!--'))
  const at = firstScript?.index ?? rest.search(/<\/head\s*>/i)
  return at < 0 ? html : rest.slice(0, at) + gate + rest.slice(at)
}

/** The classes of the plugins that make pages; each has hooks of its own. */
function listHtmlPlugins({ options }: Compiler): Set<HtmlPlugin> {
  const classes = options.plugins.map((plugin) => (plugin as object | null)?.constructor)
  return new Set(classes.filter((each) => isHtmlPlugin(each)))
}

function isHtmlPlugin(value: unknown): value is HtmlPlugin {
  return typeof value === 'function' && value.name.startsWith('Html') && 'getCompilationHooks' in value
}
