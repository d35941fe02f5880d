import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { Application, Converter, LogLevel, type TypeDocOptions } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'

const root = resolve(import.meta.dirname, '..')

/** A public entry of a package. */
interface Entry {
  /** The specifier that users import: `@understudy/engine/node`. */
  readonly specifier: string
  /** The module that it re-exports. */
  readonly source: string
}

/**
 * Writes the API reference to `docs/api` from the docstrings: one page for each export of each entry.
 *
 * @param repository the address of the repository, for links to the sources
 * @throws when TypeDoc cannot read a source, or warns
 */
export async function generateApi(repository: string | undefined): Promise<void> {
  const out = join(root, 'docs/api')
  await rm(out, { recursive: true, force: true })
  const entries = findEntries()
  const options: TypeDocOptions & Partial<PluginOptions> = {
    plugin: ['typedoc-plugin-markdown'],
    router: 'member',
    entryPoints: entries.map(({ source }) => source),
    tsconfig: join(import.meta.dirname, 'tsconfig.api.json'),
    // Skip the type check, because the repository's own compiler checks the sources.
    skipErrorChecking: true,
    name: 'API reference',
    readme: join(import.meta.dirname, 'api-reference.md'),
    mergeReadme: true,
    out,
    disableGit: true,
    basePath: root,
    sourceLinkTemplate: `${repository ?? 'source:'}/blob/main/packages/{path}#L{line}`,
    gitRevision: 'main',
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    // In the order of "exports", with the main entry first.
    sortEntryPoints: false,
    sort: ['kind', 'source-order'],
    // What users call comes before the types.
    groupOrder: ['Modules', 'Variables', 'Functions', 'Classes', '*'],
    kindSortOrder: ['Variable', 'Function', 'Class', 'Interface', 'TypeAlias'],
    validation: { invalidLink: false, notExported: false, notDocumented: false },
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    hideGroupHeadings: false,
    useCodeBlocks: true,
    expandParameters: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    classPropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    tableColumnSettings: { hideSources: true, hideInherited: true, hideOverrides: true },
    typeDeclarationVisibility: 'compact',
    logLevel: LogLevel.Warn,
    pageTitleTemplates: { module: ({ name }: { name: string }) => name, member: ({ name }: { name: string }) => name },
  }
  const app = await Application.bootstrapWithPlugins(options)
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const module of project.children ?? []) {
      const file = module.sources?.[0]?.fullFileName ?? project.files.getReflectionPath(module)
      const entry = entries.find(({ source }) => source === file)
      if (entry) module.name = entry.specifier
    }
  })
  const project = await app.convert()
  if (!project)
    throw new Error('Failed to generate the API reference: TypeDoc read no project. See its messages above.')
  await app.generateOutputs(project)
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error('Failed to generate the API reference: TypeDoc reported what is above. Fix these docstrings.')
  }
}

/** Returns the entries in the `exports` of the packages that have types. Internal entries are not documented. */
function findEntries(): Entry[] {
  const packages = readdirSync(join(root, 'packages'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return packages.flatMap((entry) => {
    const folder = join(entry.parentPath, entry.name)
    const { name, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string
      exports: Record<string, string | Record<string, string>>
    }
    // Skip this package, because it repeats the engine under other names.
    if (name === '@understudy/msw') return []
    return Object.entries(exports).flatMap(([key, target]) => {
      if (key.startsWith('./internal/')) return []
      const source = typeof target === 'string' ? undefined : target['@understudy/source']
      return source ? [{ specifier: join(name, key), source: join(folder, source) }] : []
    })
  })
}
