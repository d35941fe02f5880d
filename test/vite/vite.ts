import { join } from 'node:path'

import {
  contentSecurityPolicy,
  type BuildTool,
  type RunningServer,
  type ServerOptions,
} from '../acceptance/build-tool.ts'
import { repository, type Project } from '../acceptance/project.ts'
import { findPort, runTool } from '../acceptance/run-tool.ts'

/** Returns the folder of a package. */
const modules = (name: string): string => join(repository, 'node_modules', name)

/** Vite's command line. */
export const vite: BuildTool = createVite('Vite', modules('vite'))

/** Earlier versions, which have aliases in package.json. */
export const vite6: BuildTool = createVite('Vite 6', modules('vite-6'))
export const vite7: BuildTool = createVite('Vite 7', modules('vite-7'))

/** Vite with its experimental bundling in development. */
export const bundledVite: BuildTool = createVite('Vite, bundling in development', modules('vite'), {
  experimental: { bundledDev: true },
})

/** With React optimized before the first page. Otherwise, Vite finds it when a page loads, and reloads that page. */
export const viteWithReact: BuildTool = createVite('Vite', modules('vite'), {
  optimizeDeps: { include: ['react', 'react-dom/client'] },
})

/**
 * @param installed the folder of Vite's package
 * @param settings configuration that every project gets
 */
export function createVite(name: string, installed: string, settings: object = {}): BuildTool {
  const cli = join(installed, 'bin/vite.js')
  return {
    name,
    compilesModules: false,
    readsTypeScript: true,
    answersDocuments: true,
    connected: /\[vite\] connected/,

    async configure(project, { plugin = {}, api, base, nonce, policy, hosts, pages }) {
      const config = {
        ...settings,
        ...(base !== undefined && { base }),
        // In an app, the engine is an installed package. Here it is a link, which Vite treats as source files of the
        // app.
        ...(plugin === null && { optimizeDeps: { include: ['@understudy/engine', '@understudy/engine/browser'] } }),
        ...(nonce !== undefined && { html: { cspNonce: nonce } }),
        server: {
          ...(hosts && { allowedHosts: hosts }),
          ...(nonce !== undefined && { headers: { 'Content-Security-Policy': contentSecurityPolicy(nonce) } }),
          ...(policy !== undefined && { headers: { 'Content-Security-Policy': policy } }),
          ...(api !== undefined && { proxy: { '/api': api } }),
        },
        preview: {
          ...(policy !== undefined && { headers: { 'Content-Security-Policy': policy } }),
          ...(api !== undefined && { proxy: { '/api': api } }),
        },
        build: { ...(pages && { rollupOptions: { input: ['index.html', ...pages] } }) },
      }
      await project.write(
        'vite.config.js',
        `import understudy from '@understudy/vite-plugin'\n` +
          `export default {\n  ...${JSON.stringify(config)},\n` +
          `  plugins: [${plugin === null ? '' : `understudy(${JSON.stringify(plugin)})`}],\n}\n`,
      )
    },

    start: (project, options) => serve(cli, project, [], options),

    async build({ folder }, options = {}) {
      const tool = runTool(cli, ['build'], { folder, ...options })
      return { code: await tool.exit, output: tool.output }
    },

    serve: (project, options) => serve(cli, project, ['preview'], options),

    readOverlay: (page) =>
      page.evaluate(() => {
        const root = document.querySelector('vite-error-overlay')?.shadowRoot
        return root?.querySelector<HTMLElement>('.window')?.innerText
      }),
  }
}

async function serve(
  cli: string,
  { folder }: Project,
  command: readonly string[],
  { port, env, host = '127.0.0.1' }: ServerOptions = {},
): Promise<RunningServer> {
  const used = port ?? (await findPort())
  const args = [...command, '--host', host, '--port', String(used), '--strictPort']
  const tool = runTool(cli, args, { folder, ...(env && { env }) })
  await tool.untilSaid(/Local:\s+http/)
  return { origin: `http://localhost:${used}`, port: used, process: tool, stop: () => tool.stop() }
}
