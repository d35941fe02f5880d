import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { expect, test } from 'vitest'

// TypeScript 7 has no JavaScript API yet.
import ts from '../types/node_modules/typescript/lib/typescript.js'

const root = resolve(import.meta.dirname, '../..')

/** Returns the sources of the entries of every package, by specifier. */
function findEntries(): Map<string, string> {
  const entries = new Map<string, string>()
  for (const file of globSync('packages/*/package.json', { cwd: root })) {
    const { name, exports } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name: string
      exports: Record<string, string | Record<string, string>>
    }
    for (const [key, target] of Object.entries(exports)) {
      const source = typeof target === 'string' ? undefined : target['@understudy/source']
      if (source) entries.set(join(name, key), join(root, dirname(file), source))
    }
  }
  return entries
}

/** Returns the exports without a docstring, each with the file that declares it. */
function findBareExports(entries: ReadonlyMap<string, string>): { count: number; bare: string[] } {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    config: unknown
  }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  // Leave out the types of the platform, which are not needed and take most of the time.
  const program = ts.createProgram([...entries.values()], { ...options, noLib: true, types: [] })
  const checker = program.getTypeChecker()
  let count = 0
  const bare = new Set<string>()
  for (const file of entries.values()) {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    // An entry that is only a script has no exports.
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      count += 1
      const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
      if (declared.getDocumentationComment(checker).some(({ text }) => text.trim() !== '')) continue
      bare.add(`${declared.declarations?.[0]?.getSourceFile().fileName.slice(root.length + 1)}: ${declared.name}`)
    }
  }
  return { count, bare: [...bare] }
}

test('each export of each entry has a docstring', { timeout: 300_000 }, () => {
  const { count, bare } = findBareExports(findEntries())
  expect(count).toBeGreaterThan(400)
  expect(bare).toEqual([])
})
