import { createServer } from 'vite'
import { expect, test } from 'vitest'

import { createRoot } from '../testing/create-root.ts'
import { understudy } from '../understudy.ts'

/** Returns the attributes of the first two scripts of a page, and whether one of its scripts is inline. */
async function readScripts(toolPlugin: string): Promise<{ sources: (string | undefined)[]; hasInline: boolean }> {
  const server = await createServer({
    root: await createRoot(),
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false, origin: 'http://localhost:3000' },
    optimizeDeps: { noDiscovery: true, include: [] },
    // The tools are known by the names of their plugins.
    plugins: [...understudy({ handlers: 'handlers.js' }), { name: toolPlugin }],
  })
  const page = await server.transformIndexHtml('/popup.html', '<!doctype html><title>Popup</title>')
  await server.close()
  const scripts = [...page.matchAll(/<script\b(?<attributes>[^>]*)>/g)].map(
    ({ groups }) => groups?.['attributes'] ?? '',
  )
  const sources = scripts.map((attributes) => /\bsrc="(?<src>[^"]*)"/.exec(attributes)?.groups?.['src'])
  return { sources: sources.slice(0, 2), hasInline: sources.includes(undefined) }
}

test('a page of CRXJS has the gate as a file, because the policy of an extension forbids inline scripts', async () => {
  expect(await readScripts('crx:hmr')).toEqual({
    sources: ['/__understudy-gate.js', '/@id/__x00__virtual:understudy/bootstrap'],
    hasInline: false,
  })
})

test('a page of WXT, which is a file of the extension, loads the scripts from the dev server', async () => {
  const origin = 'http://localhost:3000'
  expect(await readScripts('wxt:virtualize-inline-scripts')).toEqual({
    sources: [`${origin}/__understudy-gate.js`, `${origin}/@id/__x00__virtual:understudy/bootstrap`],
    hasInline: false,
  })
})

test('a page of other projects has the gate inline, also with an origin in the configuration', async () => {
  expect((await readScripts('other')).sources).toEqual([undefined, '/@id/__x00__virtual:understudy/bootstrap'])
})
