import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

import {
  createBootstrapModule,
  findHandlers,
  type HandlersFile,
  type ResolvedOptions,
} from '@understudy/engine/internal/dev'

import { createGateScript, createHandlersModule } from '../page/page-modules.ts'
import { createPagePolicy, describeOwnRequests } from './own-requests.ts'

/** The parts of the page's modules. */
export interface PageParts {
  readonly options: ResolvedOptions
  readonly basePath: string
  readonly assetPrefix: string
}

/** The folder of the modules below the project's root. Turbopack does not read modules from Next's own output. */
const folder = join('node_modules', '.cache', 'understudy')

/**
 * Writes the modules that a page evaluates before its own: the gate, and the modules that load the handlers.
 *
 * @returns the path of the first one, relative to the root
 */
export function writePageModules(root: string, parts: PageParts): string {
  const target = join(root, folder)
  mkdirSync(target, { recursive: true })
  const write = (name: string, text: string): void => writeFileSync(join(target, name), text)
  const { basePath, assetPrefix } = parts
  // Turbopack has the first global, webpack the second.
  const sockets = ['/_next/hmr', '/_next/webpack-hmr'].map((path) => toSocket(assetPrefix, basePath) + path)
  write('gate.cjs', createGateScript(sockets))
  const file = findFile(root, parts.options)
  if (file instanceof Error) {
    write('bootstrap.mjs', createBootstrap(parts, 'the handlers module', `mocking.fail(${toError(file)})`))
  } else {
    const path = `./${relative(target, file.path).replaceAll('\\', '/')}`
    write('handlers.cjs', createHandlersModule({ ...file, path: path.replace('./../', '../') }))
    write('bootstrap.mjs', createBootstrap(parts, file.name, loadHandlers))
  }
  write('page.cjs', `require('./gate.cjs')\nrequire('./bootstrap.mjs')\n`)
  return `${folder.replaceAll('\\', '/')}/page.cjs`
}

function findFile(root: string, { handlers }: ResolvedOptions): HandlersFile | Error {
  try {
    return findHandlers(root, handlers)
  } catch (error) {
    return error as Error
  }
}

function toError({ message }: Error): string {
  return `Object.assign(new Error(${JSON.stringify(message)}), { name: 'UnderstudyError' })`
}

/** Returns the address of Next's socket. It has the host of the assets if they have another origin. */
function toSocket(assetPrefix: string, basePath: string): string {
  if (!URL.canParse(assetPrefix)) return assetPrefix || basePath
  const { host, pathname } = new URL(assetPrefix)
  return `ws://${host}${pathname.replace(/\/$/, '')}`
}

function createBootstrap({ options, basePath, assetPrefix }: PageParts, file: string, load: string): string {
  const isBroken = load !== loadHandlers
  const toolFiles = describeOwnRequests(basePath, assetPrefix)
  return createBootstrapModule({
    options,
    file,
    workerUrl: `location.origin + ${JSON.stringify(`${basePath}/${options.worker.file}`)}`,
    scope: JSON.stringify(options.worker.scope ?? (basePath === '' ? '/' : basePath)),
    pages: { base: '/', forwarded: [], toolFiles },
    // Next's overlay shows reported errors.
    showError: `${isBroken ? '' : "import load from './handlers.cjs'"}
${isBroken ? '' : createPagePolicy(toolFiles, options.onUnhandledRequest)}
const showError = (error) => reportError(error)`,
    isShared: options.panel,
    panelUrl: JSON.stringify(`${basePath}/__understudy/`),
    isBundled: true,
    load,
  })
}

const loadHandlers = 'load((module) => mocking.take(withPolicy(module)), mocking.fail)'
