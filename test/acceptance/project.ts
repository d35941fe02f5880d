import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

import { expect } from 'vitest'

export const repository: string = resolve(import.meta.dirname, '../..')

/** A copy of an app, which tests may change. */
export interface Project {
  readonly folder: string
  read(file: string): Promise<string>
  write(file: string, text: string): Promise<void>
  /** @throws {Error} if the file does not contain the text, because such an edit would change nothing */
  edit(file: string, text: string, replacement: string): Promise<void>
  remove(file: string): Promise<void>
  /** Removes the copy. */
  dispose(): Promise<void>
}

/** Excludes files of tools and tests, which are not part of the app. */
const isLeftOut = (name: string): boolean =>
  [
    'node_modules',
    'dist',
    'build',
    'test',
    '.tmp',
    '.svelte-kit',
    '.react-router',
    '.astro',
    '.nuxt',
    '.next',
    '.angular',
    '.wrangler',
    '.output',
    'storybook-static',
  ].includes(name)

/**
 * Copies an app into an ignored folder of the repository, where packages resolve as in the original.
 *
 * @param source the app's folder, relative to the repository
 * @param files additional or replaced files of the copy, by path
 */
export function createProject(source: string, files: Record<string, string> = {}): Promise<Project> {
  return copyProject(source, join(repository, '.tmp'), files)
}

/**
 * Copies a sandbox of the second tier, to below its own `node_modules`.
 *
 * @param name its folder in `sandboxes`
 */
export function createHeavyProject(name: string, files: Record<string, string> = {}): Promise<Project> {
  return copyProject(`sandboxes/${name}`, join(repository, 'sandboxes', name, '.tmp'), files)
}

/** Reads the files of a folder of the repository, by their paths in it, to copy them into another project. */
export async function readFixture(source: string): Promise<Record<string, string>> {
  const folder = resolve(repository, source)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const),
    ),
  )
}

async function copyProject(source: string, parent: string, files: Record<string, string>): Promise<Project> {
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, `${basename(source)}-`))
  const original = resolve(repository, source)
  // Copy the items of the folder, because the copy is inside the folder itself.
  for (const entry of await readdir(original)) {
    if (!isLeftOut(entry))
      await cp(join(original, entry), join(folder, entry), {
        recursive: true,
        // Resolve symbolic links. Otherwise, a test would edit the original file.
        dereference: true,
      })
  }
  const project = openProject(folder)
  for (const [file, text] of Object.entries(files)) await project.write(file, text)
  return project
}

function openProject(folder: string): Project {
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8')
  let writes = 0
  const write = async (file: string, text: string): Promise<void> => {
    const path = join(folder, file)
    await mkdir(dirname(path), { recursive: true })
    // `writeFile` empties a file before it fills it, and a watching tool may build the empty module. So write another file,
    // outside of the watched folder, and rename it, which replaces the text in one step.
    const written = `${folder}.write-${++writes}`
    await writeFile(written, text)
    await rename(written, path)
  }
  return {
    folder,
    read,
    write,
    async edit(file, text, replacement) {
      const before = await read(file)
      if (!before.includes(text)) throw new Error(`Failed to edit ${file}: it does not hold ${JSON.stringify(text)}.`)
      await write(
        file,
        before.replace(text, () => replacement),
      )
    },
    remove: (file) => rm(join(folder, file)),
    dispose: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

/**
 * Saves a file, and polls for the effect. A watcher may merge quick changes and miss the last one, so without an effect
 * the file is saved again.
 */
export function savingUntil<Value>(
  project: Project,
  file: string,
  text: string,
  read: () => Promise<Value>,
): ReturnType<typeof expect.poll<Value>> {
  let round = 0
  return expect.poll(async () => {
    if (round % 10 === 0) await project.write(file, text)
    round += 1
    return read()
  })
}
