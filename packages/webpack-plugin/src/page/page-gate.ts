import { describeBlockedGate, readScriptPolicy } from '@understudy/engine/internal/dev'

import type { Compilation, Compiler } from '../compiler.ts'
import { listDevServers } from '../dev-server/dev-servers.ts'
import { pluginName, type Project } from '../project.ts'
import { createGateScript } from './page-modules.ts'

/** A tag in the form of html-webpack-plugin and Rspack's HtmlRspackPlugin. */
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

/** The file name of the gate, for pages whose policy forbids inline scripts. */
const gateFile = 'understudy-gate.js'

/** Run before other plugins change tags and pages, because they may add nonces or hashes of scripts. */
const stage = -1000

/**
 * Adds the gate as the first script of every page that a plugin creates, because inline scripts of a page run before
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

/** Returns the policies in the headers that the compiler's dev servers send with every page. */
function listHeaderPolicies({ options }: Compiler): string[] {
  return listDevServers(options).flatMap(({ headers }) => readPolicies(headers))
}

/** @param headers an object or a list of `{ key, value }`, as in the options of dev servers */
export function readPolicies(headers: unknown): string[] {
  const pairs: [unknown, unknown][] = Array.isArray(headers)
    ? headers.map((each: { key?: unknown; value?: unknown }) => [each.key, each.value])
    : Object.entries(headers ?? {})
  return pairs.flatMap(([name, value]) =>
    String(name).toLowerCase() === 'content-security-policy' ? [value].flat().map(String) : [],
  )
}

/**
 * Moves the gate from the end of a page's head to its start: before the author's scripts, and before a policy, which
 * does not apply to earlier elements.
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

/** Returns the classes of the plugins that create pages. Each has its own hooks. */
function listHtmlPlugins({ options }: Compiler): Set<HtmlPlugin> {
  const classes = options.plugins.map((plugin) => (plugin as object | null)?.constructor)
  return new Set(classes.filter((each) => isHtmlPlugin(each)))
}

function isHtmlPlugin(value: unknown): value is HtmlPlugin {
  return typeof value === 'function' && value.name.startsWith('Html') && 'getCompilationHooks' in value
}
