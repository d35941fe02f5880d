import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { findPort, runTool } from '../../../test/acceptance/run-tool.ts'

const run = promisify(execFile)
const sandbox = resolve(import.meta.dirname, '..')

/** A registry that runs on this machine. */
export interface Registry {
  /** `http://localhost:4873/` */
  readonly url: string
  /** The settings for package managers. */
  readonly env: Readonly<Record<string, string>>
  /** Publishes the package in a folder. */
  publish(folder: string): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts Verdaccio. It takes our packages from this machine only, and passes requests for others on.
 *
 * @param folder an empty folder, for its configuration and its packages
 */
export async function startRegistry(folder: string): Promise<Registry> {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { cwd: sandbox })
  const configuration = `
storage: ./storage
uplinks:
  upstream:
    url: ${stdout.trim()}
    timeout: 60s
    maxage: 60m
packages:
  '@understudy/*':
    access: $all
    publish: $all
  '**':
    access: $all
    proxy: upstream
log: { type: stdout, format: pretty, level: warn }
`
  const file = join(folder, 'config.yaml')
  await writeFile(file, configuration)
  const port = await findPort()
  const host = `localhost:${port}/`
  const script = join(sandbox, 'node_modules/verdaccio/bin/verdaccio')
  const tool = runTool(script, ['--config', file, '--listen', `127.0.0.1:${port}`], {
    folder,
    // For networks with a proxy or with another certificate authority.
    env: pick(process.env, ['NODE_EXTRA_CA_CERTS', 'http_proxy', 'https_proxy', 'no_proxy']),
  })
  await tool.untilSaid(/http address/)
  // npm publishes nothing without a token, whatever the registry asks for.
  const npmrc = join(folder, 'npmrc')
  await writeFile(npmrc, `registry=http://${host}\n//${host}:_authToken=none\n`)
  const env = {
    npm_config_userconfig: npmrc,
    npm_config_registry: `http://${host}`,
    npm_config_cache: join(folder, 'cache'),
  }
  return {
    url: `http://${host}`,
    env,
    async publish(packageFolder) {
      await run('npm', ['publish', '--access', 'public'], { cwd: packageFolder, env: { ...process.env, ...env } })
    },
    stop: () => tool.stop(),
  }
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
