import { readGateScript } from '@understudy/engine/internal/dev'
import type { Plugin } from 'vite'

import {
  choosePolicyForm,
  createStartScript,
  gateAttribute,
  gatePath,
  listHeaderPolicies,
  startPath,
} from '../page/gate-script.ts'
import { injectIntoPage, type Page } from '../page/inject-into-page.ts'
import { pluginName, type Project } from '../project.ts'
import { isForDocument, originOf } from './document-request.ts'
import { isProxied } from './rendering-context.ts'

/**
 * Adds the gate to pages when the dev server sends them, because pages that frameworks render do not pass
 * `transformIndexHtml`. Pages that have passed it keep their gate, in the form that their headers allow.
 */
export function outgoingPages(project: Project): Plugin {
  return {
    name: `${pluginName}:outgoing-pages`,
    enforce: 'pre',

    configureServer({ middlewares, config }) {
      // Bundled modules have no URLs.
      if (!project.isOn || project.isBundledDev) return
      middlewares.use((request, response, next) => {
        const { headers } = request
        if (request.method === 'GET' && isForDocument(headers)) {
          // A page in the browser's cache may not contain the gate.
          if (config.appType === 'custom') {
            delete headers['if-none-match']
            delete headers['if-modified-since']
          }
          const origin = originOf(request)
          injectIntoPage(response, (page) => {
            const headerPolicies = listHeaderPolicies(response.getHeaders())
            if (isProxied(response)) return page.text
            return page.text.includes('data-understudy')
              ? allowGate(project, page.text, headerPolicies, origin)
              : insertStart(project, page, headerPolicies, origin)
          })
        }
        next()
      })
    },
  }
}

/** Adds the script that starts mocking to a page without it. */
function insertStart(project: Project, { text, head }: Page, headers: readonly string[], origin?: string): string {
  const script = createStartScript(project)
  const { form, nonce } = choosePolicyForm({ project, headers, origin, script })
  const attributes = `data-understudy${nonce === undefined ? '' : ` nonce="${nonce}"`}`
  const tag =
    form === 'external'
      ? `<script ${attributes} src="${startPath(project)}"></script>`
      : `<script ${attributes}>${script}</script>`
  return text.slice(0, head) + tag + text.slice(head)
}

/** Changes the existing scripts of a page into the form that its headers allow: an external file, or a nonce. */
function allowGate(project: Project, text: string, headers: readonly string[], origin?: string): string {
  if (headers.length === 0) return text
  const { form, nonce } = choosePolicyForm({ project, headers, origin, script: readGateScript() })
  const allowed = form === 'external' ? nameGateFile(text, gatePath(project)) : text
  if (nonce === undefined) return allowed
  return allowed.replaceAll(/<script\b[^>]*\bdata-understudy\b[^>]*>/g, (tag) =>
    /\snonce=/.test(tag) ? tag : tag.replace('<script', `<script nonce="${nonce}"`),
  )
}

/** Replaces the inline gate of a page with its file. */
function nameGateFile(text: string, file: string): string {
  const start = text.indexOf(`<script ${gateAttribute}`)
  const body = start < 0 ? -1 : text.indexOf('>', start) + 1
  const end = body < 1 ? -1 : text.indexOf('</script>', body)
  const isInline = body > 0 && end > body
  return isInline ? `${text.slice(0, body - 1)} src="${file}">${text.slice(end)}` : text
}
