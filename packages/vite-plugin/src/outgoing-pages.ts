import type { IncomingHttpHeaders } from 'node:http'

import { readGateScript } from '@understudy/engine/dev'
import type { Plugin } from 'vite'

import { injectIntoPage } from './inject-into-page.ts'
import { pluginName, type Project } from './project.ts'
import { isProxied } from './rendering-context.ts'
import { bootstrapId } from './virtual-modules.ts'

/**
 * Puts the gate in front of pages as they leave the dev server: those that frameworks render never come to
 * `transformIndexHtml`. What has passed there is left alone.
 */
export function outgoingPages(project: Project): Plugin {
  return {
    name: `${pluginName}:outgoing-pages`,
    enforce: 'pre',

    configureServer({ middlewares, config }) {
      // What is bundled has no addresses for modules.
      if (!project.isOn || project.isBundledDev) return
      middlewares.use((request, response, next) => {
        const { headers } = request
        if (request.method === 'GET' && isForPage(headers)) {
          // What the browser has kept of a rendered page may be from a time without the gate.
          if (config.appType === 'custom') {
            delete headers['if-none-match']
            delete headers['if-modified-since']
          }
          injectIntoPage(response, (page, nonce) =>
            isProxied(response) || page.includes('data-understudy') ? '' : createTag(project, nonce),
          )
        }
        next()
      })
    },
  }
}

/** Whether a response becomes a document of its own, rather than what a script reads. */
function isForPage(headers: IncomingHttpHeaders): boolean {
  const destination = headers['sec-fetch-dest']
  return destination === undefined
    ? (headers.accept?.includes('text/html') ?? false)
    : ['document', 'iframe', 'frame', 'embed', 'object'].includes(String(destination))
}

/** One script that is gone once it has run: what hydrates the document finds what the server has rendered. */
function createTag({ basePath, config }: Project, nonce: string | undefined = config.html?.cspNonce): string {
  const bootstrap = JSON.stringify(`${basePath}@id/__x00__${bootstrapId}`)
  return (
    `<script data-understudy${nonce === undefined ? '' : ` nonce="${nonce}"`}>` +
    `${readGateScript()}\ndocument.currentScript.remove();import(${bootstrap})</script>`
  )
}
