import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** A place that the developer has to check. */
export interface Note {
  /** Relative to the project, with `/`. */
  readonly file: string
  /** From 1. Missing if the note is about the whole file. */
  readonly line?: number
  readonly text: string
}

export interface FileChange {
  readonly file: string
  /** `undefined` if the migration creates the file. */
  readonly before: string | undefined
  /** `undefined` if the migration deletes the file. */
  readonly after: string | undefined
}

const scripts = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/
const skipped =
  /(?:^|\/)(?:(?:node_modules|dist|build|coverage|out|\.git|\.next|\.nuxt|\.svelte-kit|\.yarn|storybook-static)(?:\/|$)|\.pnp\.)/

/** The files of a project, as the migration will leave them. It writes nothing to the disk. */
export class Project {
  readonly root: string
  /** Folders with their own manifest, each with `/` at the end. Their files do not belong to this project. */
  readonly nested: readonly string[]
  readonly notes: Note[] = []
  readonly #paths: Set<string>
  readonly #texts = new Map<string, string | undefined>()

  constructor(root: string) {
    this.root = root
    const paths = listFiles(root).filter((path) => !skipped.test(path))
    const nested = paths
      .filter((path) => path.endsWith('/package.json'))
      .map((path) => path.slice(0, -'package.json'.length))
    this.nested = nested.toSorted()
    this.#paths = new Set(paths.filter((path) => !nested.some((folder) => path.startsWith(folder))))
  }

  /** All files, in the order of their paths. */
  get paths(): string[] {
    return [...this.#paths].toSorted()
  }

  get scripts(): string[] {
    return this.paths.filter((path) => scripts.test(path))
  }

  has(path: string): boolean {
    return this.#paths.has(path)
  }

  /**
   * Returns the text of a file without its byte order mark, with which `JSON.parse` fails.
   *
   * @throws if the file does not exist
   */
  read(path: string): string {
    const text = this.#texts.get(path)
    return text ?? readFileSync(join(this.root, path), 'utf8').replace(/^\uFEFF/, '')
  }

  write(path: string, text: string): void {
    this.#paths.add(path)
    this.#texts.set(path, text)
  }

  remove(path: string): void {
    this.#paths.delete(path)
    this.#texts.set(path, undefined)
  }

  /** Returns whether the migration removes every file of a folder. Files that Git ignores count, too. */
  isEmptied(folder: string): boolean {
    const path = join(this.root, folder)
    if (!existsSync(path)) return false
    const files = listFolder(this.root, path)
    return files.length > 0 && files.every((file) => this.#texts.has(file) && this.#texts.get(file) === undefined)
  }

  note(file: string, text: string, line?: number): void {
    if (this.notes.some((note) => note.file === file && note.text === text && note.line === line)) return
    this.notes.push({ file, text, ...(line !== undefined && { line }) })
  }

  changes(): FileChange[] {
    const changes: FileChange[] = []
    for (const [file, text] of this.#texts) {
      const path = join(this.root, file)
      const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined
      const after = before === undefined || text === undefined ? text : encodeLike(before, text)
      if (before !== after) changes.push({ file, before, after })
    }
    return changes.toSorted((a, b) => (a.file < b.file ? -1 : 1))
  }
}

/** Returns a text with the byte order mark of the file, and with CRLF if all lines of the file end with it. */
function encodeLike(before: string, text: string): string {
  const isCrlf = /^(?:[^\r\n]*\r\n)+[^\r\n]*$/.test(before)
  return (before.startsWith('\uFEFF') ? '\uFEFF' : '') + (isCrlf ? text.replaceAll(/\r?\n/g, '\r\n') : text)
}

/**
 * Returns the files that Git tracks or would add, so that ignored files do not change. Without Git, returns every file
 * below the folder.
 */
function listFiles(root: string): string[] {
  try {
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const files = list.split('\0').filter((path) => path !== '' && isOwnFile(root, path))
    // If the surrounding repository ignores the folder, Git lists no files.
    return files.length > 0 ? files : listFolder(root, root)
  } catch {
    return listFolder(root, root)
  }
}

function listFolder(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    const name = relative(root, path).split(sep).join('/')
    if (skipped.test(name)) return []
    if (entry.isDirectory()) return listFolder(root, path)
    return entry.isFile() ? [name] : []
  })
}

/** Returns whether a path is a file that is in the project itself. A symbolic link may lead out of it. */
function isOwnFile(root: string, name: string): boolean {
  const path = join(root, name)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
  return !lstatSync(path).isSymbolicLink() || realpathSync(path).startsWith(realpathSync(root) + sep)
}
