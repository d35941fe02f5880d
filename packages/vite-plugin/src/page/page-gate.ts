import { readGateScript, serveScript } from '@understudy/engine/internal/dev'
import type { HtmlTagDescriptor, Plugin, PluginOption } from 'vite'

import { hasPlugin } from '../has-plugin.ts'
import { pluginName, type Project } from '../project.ts'
import { bootstrapId } from '../virtual-modules.ts'
import { findExtensionPrefix } from './extension-pages.ts'
import {
  choosePolicyForm,
  createStartScript,
  gateAttribute,
  gatePath,
  listHeaderPolicies,
  startPath,
} from './gate-script.ts'

/** The script that evaluates the bootstrap module. */
const moduleTag: HtmlTagDescriptor = {
  tag: 'script',
  attrs: { type: 'module', 'data-understudy': '' },
  injectTo: 'head-prepend',
}

/** Adds the gate, and the bootstrap module that opens it, at the start of every HTML page. */
export function pageGate(project: Project): Plugin[] {
  // In a build, the bundler reads modules from the page.
  const isServing = (): boolean => project.config.command === 'serve' && !project.isBundledDev

  function createGateTag(): HtmlTagDescriptor {
    const { config } = project
    const script = readGateScript()
    const extensionPrefix = config.command === 'serve' ? findExtensionPrefix(config) : undefined
    // The headers of a deployed build are unknown. A policy in the page itself comes after the gate.
    const headers = config.command === 'serve' ? listHeaderPolicies(config.server.headers ?? {}) : []
    const { form, nonce } = choosePolicyForm({ project, headers, script })
    const isExternal = form === 'external' || extensionPrefix !== undefined
    return {
      tag: 'script',
      attrs: {
        [gateAttribute]: '',
        // Vite itself gives every script the nonce that it is configured with.
        ...(config.html?.cspNonce === undefined && nonce !== undefined && { nonce }),
        ...(isExternal && { src: (extensionPrefix ?? '') + gatePath(project) }),
      },
      ...(!isExternal && { children: script }),
      injectTo: 'head-prepend',
    }
  }

  const plugins: Plugin[] = [
    {
      name: `${pluginName}:bootstrap-tag`,
      enforce: 'pre',
      transformIndexHtml: {
        order: 'pre',
        handler() {
          // A build reads modules from the page after the first hooks.
          if (!project.isOn || isServing()) return undefined
          return [{ ...moduleTag, children: `import ${JSON.stringify(bootstrapId)}` }]
        },
      },
      configureServer({ middlewares }) {
        if (!project.isOn) return
        middlewares.use(serveScript(gatePath(project), readGateScript))
        middlewares.use(serveScript(startPath(project), () => createStartScript(project)))
      },
    },
    {
      name: `${pluginName}:gate`,
      // The last tag that is prepended comes first: before the scripts of Vite and of other plugins.
      enforce: 'post',
      transformIndexHtml: {
        order: 'post',
        handler() {
          if (!project.mocksPages) return undefined
          const tags = [createGateTag()]
          if (isServing()) {
            // Insert the URL in the last hook. Otherwise, the dev server adds the base path to it.
            const prefix = findExtensionPrefix(project.config) ?? ''
            const src = `${prefix}${project.basePath}@id/__x00__${bootstrapId}`
            tags.push({ ...moduleTag, attrs: { ...moduleTag.attrs, src } })
          }
          return tags
        },
      },
    },
  ]
  for (const plugin of plugins) {
    plugin.config = async (config) => {
      // SvelteKit has no HTML pages of Vite, and prints a warning about plugins with this hook.
      if (await hasSvelteKit(config.plugins)) delete plugin.transformIndexHtml
    }
  }
  return plugins
}

async function hasSvelteKit(option: PluginOption): Promise<boolean> {
  const plugin = await option
  if (!Array.isArray(plugin)) return Boolean(plugin) && hasPlugin([plugin as Plugin], 'vite-plugin-sveltekit')
  const found = await Promise.all(plugin.map(hasSvelteKit))
  return found.includes(true)
}
