/** A bundler's data about a module. */
export interface ImportedModule {
  readonly isEntry: boolean
  readonly importers: readonly string[]
  readonly dynamicImporters: readonly string[]
}

/**
 * Finds the shortest chain of imports from an entry of a build to a module.
 *
 * @param id the module
 * @param read returns the bundler's data of a module
 * @param written the modules whose code is in the build. Chains of such modules are preferred, because they explain a
 * leak better than modules that the bundler dropped
 */
export function findImportChain(
  id: string,
  read: (id: string) => ImportedModule | null,
  written: ReadonlySet<string>,
): string[] {
  return climb(id, read, (each) => written.has(each)) ?? climb(id, read, () => true) ?? [id]
}

function climb(
  start: string,
  read: (id: string) => ImportedModule | null,
  isPassable: (id: string) => boolean,
): string[] | undefined {
  const seen = new Set([start])
  // Search breadth-first: the first entry that is found is the nearest.
  const chains = [[start]]
  for (const chain of chains) {
    const [id = start] = chain
    const info = read(id)
    if (!info) continue
    if (info.isEntry) return chain
    for (const importer of [...info.importers, ...info.dynamicImporters]) {
      // An HTML page is an entry without code.
      if (seen.has(importer) || !(isPassable(importer) || read(importer)?.isEntry)) continue
      seen.add(importer)
      chains.push([importer, ...chain])
    }
  }
  return undefined
}
