import { open } from 'node:fs/promises'

/**
 * Writes a text into an existing file. The file keeps its owner, permissions and links.
 *
 * `writeFile` would empty the file first, and a build tool that watches it may build the empty module.
 */
export async function overwriteFile(path: string, text: string): Promise<void> {
  const bytes = Buffer.from(text)
  const file = await open(path, 'r+')
  try {
    // If the previous text is longer, its end stays in the file until the file is shortened. Overwrite the end with line
    // feeds, so that the file is valid code at any moment.
    const { size } = await file.stat()
    const rest = Buffer.alloc(Math.max(0, size - bytes.length), '\n')
    await file.writeFile(Buffer.concat([bytes, rest]))
    await file.truncate(bytes.length)
  } finally {
    await file.close()
  }
}
