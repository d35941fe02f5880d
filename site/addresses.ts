import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The URLs of the project. Only the root manifest has them. */
interface Addresses {
  /** The URL of the repository on the forge, without a slash or `.git` at the end. */
  readonly repository: string | undefined
}

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  repository?: { url: string }
}

export const addresses: Addresses = {
  repository: manifest.repository?.url.replace(/^git\+/, '').replace(/(?:\.git)?\/?$/, ''),
}
