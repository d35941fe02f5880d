import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The licenses of the packages that files belong to, as one text. Files of no package have none.
 *
 * @param folder what the paths are relative to
 * @param files the inputs of a bundle
 */
export async function readLicenses(folder: string, files: readonly string[]): Promise<string> {
  const found = files.map((file) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
  const packages = [...new Set(found)].filter((path) => path !== undefined).toSorted()
  const texts = await Promise.all(packages.map((path) => readLicense(join(folder, path))))
  return texts.join('\n\n')
}

async function readLicense(path: string): Promise<string> {
  const manifest = await readFile(join(path, 'package.json'), 'utf8')
  const { name, version, license } = JSON.parse(manifest) as { name: string; version: string; license: string }
  const file = (await readdir(path)).find((each) => /^licen[cs]e/i.test(each))
  const text = file ? await readFile(join(path, file), 'utf8') : ''
  return `${name} ${version} (${license})\n\n${text.trim()}`.trim()
}
