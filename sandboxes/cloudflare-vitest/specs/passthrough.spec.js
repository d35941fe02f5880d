import { bypass, http, passthrough } from '@understudy/engine'
import { server } from '@understudy/vite-plugin/vitest'
import { exports } from 'cloudflare:workers'
import { expect, test } from 'vitest'

const readText = async (path) => (await exports.default.fetch(`https://shop.example${path}`)).text()

test('passthrough() and bypass() reach the network', async () => {
  const seen = []
  server.events.on('response:bypass', ({ response }) => seen.push(response.status))
  server.use(http.get('https://api.example/unknown', () => passthrough()))
  expect(await readText('/unknown')).toBe('answered network: https://api.example/unknown')
  expect(seen).toEqual([200])
  server.use(
    http.get('https://api.example/unknown', async ({ request }) => {
      const response = await fetch(bypass(request))
      return new Response(`patched ${await response.text()}`)
    }),
  )
  expect(await readText('/unknown')).toBe('answered patched network: https://api.example/unknown')
})
