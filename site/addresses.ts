import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the project lives. The root manifest is the one place that says so. */
interface Addresses {
  /** The address of the repository on the forge, without a slash or `.git` at its end. */
  readonly repository: string | undefined
}

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  repository?: { url: string }
}

export const addresses: Addresses = {
  repository: manifest.repository?.url.replace(/^git\+/, '').replace(/(?:\.git)?\/?$/, ''),
}
