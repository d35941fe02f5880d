import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
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
 * Starts Verdaccio, with our packages only. Others come from the registry of this machine, as in a project whose `.npmrc` names a
 * registry for a scope.
 *
 * @param folder an empty folder, for its configuration and its packages
 */
export async function startRegistry(folder: string): Promise<Registry> {
  const configuration = `
storage: ./storage
packages:
  '@understudy/*':
    access: $all
    publish: $all
log: { type: stdout, format: pretty, level: warn }
`
  const file = join(folder, 'config.yaml')
  await writeFile(file, configuration)
  const port = await findPort()
  const host = `localhost:${port}/`
  const script = join(sandbox, 'node_modules/verdaccio/bin/verdaccio')
  const tool = runTool(script, ['--config', file, '--listen', `127.0.0.1:${port}`], { folder })
  await tool.untilSaid(/http address/)
  // npm publishes nothing without a token, whatever the registry asks for.
  const token = `//${host}:_authToken=none`
  const cache = { npm_config_cache: join(folder, 'cache') }
  const publishing = join(folder, 'npmrc-to-publish')
  await writeFile(publishing, `registry=http://${host}\n${token}\n`)
  const installing = join(folder, 'npmrc')
  await writeFile(installing, `${await readUserConfig()}\n@understudy:registry=http://${host}\n${token}\n`)
  return {
    url: `http://${host}`,
    env: { ...networkEnv(), ...cache, npm_config_userconfig: installing },
    async publish(packageFolder) {
      const settings = { ...cache, npm_config_userconfig: publishing, npm_config_registry: `http://${host}` }
      const args = ['publish', '--access', 'public', '--registry', `http://${host}`]
      await run('npm', args, { cwd: packageFolder, env: { ...process.env, ...settings } })
    },
    stop: () => tool.stop(),
  }
}

/** Returns the text of npm's configuration of this user, with the registry for other packages. */
async function readUserConfig(): Promise<string> {
  const { stdout } = await run('npm', ['config', 'get', 'userconfig'], { cwd: sandbox })
  return readFile(stdout.trim(), 'utf8').catch(() => '')
}

/** Returns the settings of networks with a proxy, or with another certificate authority. */
function networkEnv(): Record<string, string> {
  const names = ['NODE_EXTRA_CA_CERTS', 'http_proxy', 'https_proxy', 'no_proxy']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
