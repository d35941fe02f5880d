import { describeBlockedGate, readScriptPolicy } from '@understudy/engine/internal/dev'

import type { Compilation, Compiler } from '../compiler.ts'
import { listDevServers } from '../dev-server/dev-servers.ts'
import { pluginName, type Project } from '../project.ts'
import { createGateScript } from './page-modules.ts'

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
    alterAssetTagGroups: HtmlHook<{ headTags: Tag[]; publicPath: string }>
    beforeEmit: HtmlHook<{ html: string }>
  }
}

/** The gate as a file of the output, for pages whose policy allows no inline scripts. */
const gateFile = 'understudy-gate.js'

/** Before what others do to tags and pages: they may give scripts a nonce, or count them into a policy. */
const stage = -1000

/**
 * Puts the gate in front of every page that a plugin makes, as its first script: what stands in a page runs before
 * any entry.
 */
export function gatePages({ compiler, tool }: Project, neverHeld: readonly string[]): void {
  const script = createGateScript(neverHeld)
  compiler.hooks.thisCompilation.tap(pluginName, (compilation) => {
    const { form } = readScriptPolicy(tool?.policies ?? listHeaderPolicies(compiler), script)
    if (form === 'blocked') compilation.warnings.push(toWarning(compiler, script))
    if (form === 'external') emitGate(compiler, compilation, script)
    for (const plugin of listHtmlPlugins(compiler)) {
      const hooks = plugin.getCompilationHooks(compilation)
      hooks.alterAssetTagGroups.tap({ name: pluginName, stage }, (data) => {
        const isExternal = form === 'external'
        data.headTags.unshift({
          tagName: 'script',
          attributes: { 'data-understudy': true, ...(isExternal && { src: addressOf(data.publicPath) }) },
          voidTag: false,
          innerHTML: isExternal ? '' : script,
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

function toWarning({ webpack }: Compiler, script: string): Error {
  return new webpack.WebpackError(`[understudy] ${describeBlockedGate(script)}`)
}

function emitGate({ webpack }: Compiler, compilation: Compilation, script: string): void {
  const { Compilation: constants, sources } = webpack
  const stageOfAssets = constants.PROCESS_ASSETS_STAGE_ADDITIONAL
  compilation.hooks.processAssets.tap({ name: pluginName, stage: stageOfAssets }, () => {
    compilation.emitAsset(gateFile, new sources.RawSource(script))
  })
}

function addressOf(publicPath: string): string {
  const base = publicPath === 'auto' ? '' : publicPath
  return (base === '' || base.endsWith('/') ? base : `${base}/`) + gateFile
}

/** The policies of the headers that the compiler's dev servers send with every page. */
function listHeaderPolicies({ options }: Compiler): string[] {
  return listDevServers(options).flatMap(({ headers }) => readPolicies(headers))
}

/** @param headers an object, or a list of `{ key, value }`, as dev servers take them */
export function readPolicies(headers: unknown): string[] {
  const pairs: [unknown, unknown][] = Array.isArray(headers)
    ? headers.map((each: { key?: unknown; value?: unknown }) => [each.key, each.value])
    : Object.entries(headers ?? {})
  return pairs.flatMap(([name, value]) =>
    String(name).toLowerCase() === 'content-security-policy' ? [value].flat().map(String) : [],
  )
}

/**
 * Tags are put at the end of a page's head: the gate belongs before the scripts that its author wrote, and before a
 * policy, which has no say for what stands before it.
 */
function moveGateUp(html: string): string {
  const [gate] = /<script\b[^>]*\bdata-understudy\b[^>]*>[^]*?<\/script>/.exec(html) ?? []
  if (gate === undefined) return html
  const rest = html.replace(gate, () => '')
  const firstScript = [...rest.matchAll(/<!--[^]*?-->|<script\b|<meta\b[^>]*content-security-policy/gi)].find(
    ([text]) => !text.startsWith('<!--'),
  )
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
