import { withCode } from '@understudy/engine/internal/dev'

/** The parts of a schematic's `Tree` that this one calls (`@angular-devkit/schematics`). */
interface Tree {
  exists(path: string): boolean
  readText(path: string): string
  create(path: string, text: string): void
  overwrite(path: string, text: string): void
}

interface SchematicContext {
  readonly logger: { info(message: string): void; warn(message: string): void }
  addTask(task: object): void
}

interface Workspace {
  readonly projects: Record<string, WorkspaceProject>
}

interface WorkspaceProject {
  readonly sourceRoot?: string
  readonly root: string
  readonly architect?: Record<string, { builder: string }>
  readonly targets?: Record<string, { builder: string }>
}

const dependency = '@understudy/engine'

/** `ng add @understudy/vite-plugin`: uses the builder for each app of the workspace, and writes a first handler. */
export function ngAdd(): (tree: Tree, context: SchematicContext) => void {
  return (tree, context) => {
    const workspace = JSON.parse(tree.readText('angular.json')) as Workspace
    const apps = Object.values(workspace.projects).filter((project) => replaceBuilder(project))
    if (apps.length === 0) {
      context.logger.warn(
        withCode(
          'US0871',
          'Failed to set up mocking: no target "serve" in angular.json uses the builder "@angular/build:dev-server". ' +
            'Replace the builder by hand.',
        ),
      )
      return
    }
    tree.overwrite('angular.json', `${JSON.stringify(workspace, null, 2)}\n`)
    for (const app of apps) addHandlers(app, tree)
    addDependency(tree, context)
  }
}

function replaceBuilder({ architect, targets }: WorkspaceProject): boolean {
  const serve = (architect ?? targets)?.['serve']
  if (serve?.builder !== '@angular/build:dev-server') return false
  serve.builder = '@understudy/vite-plugin:dev-server'
  return true
}

function addHandlers({ root, sourceRoot = `${root}/src` }: WorkspaceProject, tree: Tree): void {
  const path = `${sourceRoot}/mocks/handlers.ts`
  if (tree.exists(path)) return
  tree.create(
    path,
    `import { http, HttpResponse } from '${dependency}'

export const handlers = [http.get('/api/user', () => HttpResponse.json({ name: 'Ada' }))]
`,
  )
}

/** The handlers import the engine, so the workspace depends on it. */
function addDependency(tree: Tree, context: SchematicContext): void {
  const manifest = JSON.parse(tree.readText('package.json')) as Record<string, Record<string, string> | undefined>
  const { dependencies = {}, devDependencies = {} } = manifest
  if (dependencies[dependency] !== undefined || devDependencies[dependency] !== undefined) return
  // Versions of the packages are the same.
  const version = devDependencies['@understudy/vite-plugin'] ?? dependencies['@understudy/vite-plugin'] ?? 'latest'
  manifest['devDependencies'] = { ...devDependencies, [dependency]: version }
  tree.overwrite('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  // The task that installs packages, as its class would describe it.
  context.addTask({ toConfiguration: () => ({ name: 'node-package', options: { command: 'install', quiet: true } }) })
}
