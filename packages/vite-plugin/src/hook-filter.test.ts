import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import * as vite8 from 'vite'
import * as vite6 from 'vite-6'
import * as vite7 from 'vite-7'
import { expect, test } from 'vitest'

import { onlyFor } from './hook-filter.ts'
import { createRoot } from './testing/create-root.ts'
import { understudy } from './understudy.ts'

test.each([
  [['a.ts'], 'a.ts', true],
  [['a.ts'], 'a-ts', false],
  [['a.ts'], 'b/a.ts', false],
  [['a', 'b'], 'b', true],
  [['a', 'b'], 'ab', false],
  [['\0virtual:x'], '\0virtual:x', true],
  [['C:/(app)/[id]+$.tsx'], 'C:/(app)/[id]+$.tsx', true],
  [[], '', true],
  [[], 'a', false],
])('the filter for %j matches %j: %s', (ids, id, matches) => {
  expect(onlyFor(...ids).id.test(id)).toBe(matches)
})

type Hook = (...args: unknown[]) => unknown

/** Records the modules for which a hook is called. */
function record(plugin: vite8.Plugin, called: string[]): vite8.Plugin {
  const hooks = plugin as unknown as Record<string, Hook | { handler: Hook } | undefined>
  for (const name of ['resolveId', 'load', 'transform']) {
    const hook = hooks[name]
    if (!hook) continue
    const handler = typeof hook === 'function' ? hook : hook.handler
    const recording: Hook = function (this: unknown, ...args) {
      called.push(`${plugin.name} ${name} ${String(name === 'transform' ? args[1] : args[0])}`)
      return handler.apply(this, args)
    }
    hooks[name] = typeof hook === 'function' ? recording : { ...hook, handler: recording }
  }
  return plugin
}

test.each([
  ['6', vite6 as unknown as typeof vite8],
  ['7', vite7 as unknown as typeof vite8],
  ['8', vite8],
])('a build with Vite %s calls no hook of the plugin for modules of the app', async (_version, { build }) => {
  const root = await createRoot()
  await writeFile(join(root, 'index.html'), '<!doctype html><script type="module" src="/a.js"></script>')
  await writeFile(join(root, 'a.js'), "import './b.js'\nconsole.log('a')")
  await writeFile(join(root, 'b.js'), "console.log('b')")
  const called: string[] = []
  const plugins = understudy().map((plugin) => record(plugin, called))
  await build({ root, configFile: false, logLevel: 'silent', plugins, build: { write: false } })
  expect(called).toEqual([])
})
