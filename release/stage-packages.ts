import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

import { listLinkedPages, stageMarkdown } from './stage-markdown.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')

/** The fields of a manifest with the URLs of the project. Only the root manifest has them. */
export interface Origin {
  readonly repository?: { readonly type: string; readonly url: string }
  readonly homepage?: string
  readonly bugs?: { readonly url: string }
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly files: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
}

/** A package as it is published. */
export interface StagedPackage {
  readonly name: string
  readonly version: string
  readonly folder: string
}

/** Returns the names of the fields that are not set. */
export function listMissing(origin: Origin): string[] {
  return (['repository', 'homepage', 'bugs'] as const).filter((field) => !origin[field])
}

/**
 * Writes each package as it is published into a separate folder: the files of `npm pack`, with the URLs of the project
 * in the manifest, the changelog, and the pages to which its README links. The packages must be built.
 *
 * @param target an empty folder, or one that does not exist
 * @returns the packages, each after those it depends on
 */
export async function stagePackages(target: string, origin: Origin): Promise<StagedPackage[]> {
  const folders = globSync('packages/*/package.json', { cwd: root }).map((file) => dirname(file))
  const manifests = new Map<string, Manifest>()
  for (const folder of folders) manifests.set(folder, await readManifest(join(root, folder)))
  const staged: StagedPackage[] = []
  for (const [folder, manifest] of sortByDependencies(manifests)) {
    const out = join(target, manifest.name.slice(manifest.name.indexOf('/') + 1))
    await copyPacked(folder, out)
    const added = await addPages(folder, out, manifest, origin)
    await writeManifest(out, folder, added, origin)
    staged.push({ name: manifest.name, version: manifest.version, folder: out })
  }
  return staged
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
}

function sortByDependencies(manifests: ReadonlyMap<string, Manifest>): [string, Manifest][] {
  const sorted = new Map<string, Manifest>()
  const visit = (folder: string, manifest: Manifest): void => {
    for (const [other, { name }] of [...manifests].map(([key, value]) => [key, value] as const)) {
      const needed = manifests.get(other)
      if (needed && other !== folder && manifest.dependencies?.[name] !== undefined && !sorted.has(other)) {
        visit(other, needed)
      }
    }
    sorted.set(folder, manifest)
  }
  for (const [folder, manifest] of manifests) visit(folder, manifest)
  return [...sorted]
}

/** Copies the files that `npm pack` would include. */
async function copyPacked(folder: string, out: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: join(root, folder),
    maxBuffer: Infinity,
    shell: process.platform === 'win32',
  })
  // npm 11 prints a list, npm 12 an object with names as keys.
  const printed = JSON.parse(stdout) as Record<string, { files: readonly { path: string }[] }>
  await rm(out, { recursive: true, force: true })
  for (const { path } of Object.values(printed).flatMap(({ files }) => files)) {
    await mkdir(dirname(join(out, path)), { recursive: true })
    await cp(join(root, folder, path), join(out, path))
  }
}

/**
 * Writes README, changelog and the linked pages into a package. The engine has all pages, for coding agents and other
 * readers without a network.
 *
 * @returns the added files, for `files` of the manifest
 */
async function addPages(folder: string, out: string, { name }: Manifest, origin: Origin): Promise<string[]> {
  const readme = `${folder}/README.md`
  const texts = new Map([[readme, await readFile(join(root, readme), 'utf8')]])
  const pages =
    name === '@understudy/engine'
      ? globSync(['docs/*.md', 'docs/errors/*.md', 'docs/recipes/*.md'], { cwd: root }).filter(
          // The playground is only on the site.
          (page) => !/(?:index|playground)\.md$/.test(page),
        )
      : listLinkedPages(texts.get(readme) ?? '', readme)
  for (const page of pages.map((file) => file.replaceAll('\\', '/')).toSorted()) {
    texts.set(page, await readFile(join(root, page), 'utf8'))
  }
  const skill = `${folder}/SKILL.md`
  if (globSync(skill, { cwd: root }).length > 0) texts.set(skill, await readFile(join(root, skill), 'utf8'))
  const places = new Map([...texts.keys()].map((file) => [file, toPlace(file, folder)]))
  const addresses = {
    repository: origin.repository?.url.replace(/^git\+/, '').replace(/(?:\.git)?\/?$/, ''),
    homepage: origin.homepage?.replace(/\/$/, ''),
  }
  for (const [file, text] of texts) {
    const place = join(out, places.get(file) ?? file)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, stageMarkdown(text, file, places, addresses))
  }
  await cp(join(root, folder, 'CHANGELOG.md'), join(out, 'CHANGELOG.md'))
  return ['CHANGELOG.md', ...(texts.has(skill) ? ['SKILL.md'] : []), ...(pages.length > 0 ? ['docs'] : [])]
}

function toPlace(file: string, folder: string): string {
  return file.startsWith('docs/') ? file : relative(folder, file)
}

async function writeManifest(out: string, folder: string, added: readonly string[], origin: Origin): Promise<void> {
  const manifest = await readManifest(out)
  const staged = {
    ...manifest,
    ...(origin.repository && { repository: { ...origin.repository, directory: folder.replaceAll('\\', '/') } }),
    ...(origin.homepage && { homepage: origin.homepage }),
    ...(origin.bugs && { bugs: origin.bugs }),
    files: [...new Set([...manifest.files, ...added])],
    publishConfig: { access: 'public' },
    scripts: undefined,
    devDependencies: undefined,
  }
  await writeFile(join(out, 'package.json'), `${JSON.stringify(staged, null, 2)}\n`)
}
