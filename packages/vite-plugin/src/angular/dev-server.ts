import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { styleText } from 'node:util'

import type { UnderstudyOptions } from '../options.ts'
import {
  loadAngular,
  parseTarget,
  type BuilderContext,
  type BuilderOutput,
  type DevServerOptions,
} from './angular-build.ts'
import { startMockingServer } from './mocking-server.ts'

/** The options of the builder: those of Angular's dev server, and ours. */
export interface BuilderOptions extends DevServerOptions {
  readonly understudy?: UnderstudyOptions
}

/** Runs the dev server of Angular with mocking. Only this server mocks, so builds contain no mocks. */
export async function* serve(
  { understudy = {}, ...options }: BuilderOptions,
  context: BuilderContext,
): AsyncGenerator<BuilderOutput> {
  const { workspaceRoot, target } = context
  const angular = loadAngular(workspaceRoot)
  const app = target?.project ?? ''
  const { root = '' } = (await context.getProjectMetadata(app)) as { root?: string }
  const build = (await context.getTargetOptions(parseTarget(options.buildTarget, app))) as BuildOptions
  const appPath = toAppPath(options.servePath ?? build.baseHref ?? (await readBaseHref(workspaceRoot, build)))
  const mocking = await startMockingServer({
    vite: angular.vite,
    root: join(workspaceRoot, root),
    workspaceRoot,
    cacheDir: join(workspaceRoot, 'node_modules/.cache/understudy', app),
    appPath,
    rendersPages: Boolean(build.ssr ?? build.server),
    options: understudy,
  })
  context.addTeardown(() => mocking.close())
  let address: string | undefined
  for await (const output of angular.build.executeDevServerBuilder(options, context, {
    middleware: [mocking.middleware],
  })) {
    if (output.baseUrl && output.baseUrl !== address && understudy.enabled !== false && understudy.panel !== false) {
      address = output.baseUrl
      const panel = styleText('cyan', new URL(`${appPath}__understudy/`, address).href)
      context.logger.info(`  ${styleText('green', '➜')}  ${styleText('bold', 'Understudy')}: ${panel}`)
    }
    yield output
  }
}

/** The options of Angular's application builder that decide where the app is. */
interface BuildOptions {
  readonly baseHref?: string
  readonly index?: string | { readonly input?: string } | false
  readonly browser?: string
  readonly ssr?: unknown
  readonly server?: unknown
}

/** The `href` of the `<base>` element: Angular serves the app there. */
async function readBaseHref(workspaceRoot: string, { index, browser }: BuildOptions): Promise<string | undefined> {
  const ofBrowser = browser === undefined ? 'src/index.html' : join(browser, '../index.html')
  const path = (typeof index === 'object' ? index.input : index) || ofBrowser
  const text = await readFile(join(workspaceRoot, path), 'utf8').catch(() => '')
  return /<base\b[^>]*\bhref=["']?([^"'>\s]+)/i.exec(text)?.[1]
}

function toAppPath(href = '/'): string {
  const { pathname } = new URL(href, 'http://localhost/')
  return pathname.endsWith('/') ? pathname : `${pathname}/`
}
