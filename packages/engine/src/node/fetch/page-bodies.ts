import { Blob as BufferBlob, File as BufferFile } from 'node:buffer'
import { URLSearchParams as NodeURLSearchParams } from 'node:url'

import { Response } from '../../core/platform.ts'

/** Node's classes. The global classes may be the page's. */
const NodeBlob = BufferBlob as unknown as typeof Blob
export const NodeFile: typeof File = BufferFile as unknown as typeof File

/**
 * Returns whether the global `File` is a page's, such as jsdom's, and not Node's. Node's Fetch reads the global class, and
 * accepts files of its own class only.
 */
export function hasPageFiles(): boolean {
  return globalThis.File !== undefined && globalThis.File !== NodeFile
}

/**
 * Converts a form, a file or search parameters of a page's class into one of Node's class. Node would send the text
 * "[object FormData]".
 *
 * @returns `undefined` if Node accepts the body
 */
export function adoptBody(body: unknown): BodyInit | Promise<BodyInit> | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  switch ((body as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag]) {
    case 'URLSearchParams':
      return body instanceof NodeURLSearchParams
        ? undefined
        : new NodeURLSearchParams((body as URLSearchParams).toString())
    case 'Blob':
    case 'File':
      return body instanceof NodeBlob ? undefined : toNodeBlob(body as Blob)
    case 'FormData':
      return hasPageFiles() ? toNodeForm(body as FormData) : undefined
    default:
      return undefined
  }
}

/** Creates an empty form of Node. The global class is the page's. */
export function createNodeForm(): Promise<FormData> {
  return new Response('', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }).formData()
}

async function toNodeForm(form: FormData): Promise<FormData> {
  const entries = [...form]
  const copy = await createNodeForm()
  for (const [name, value] of entries) {
    // A form of Node may have text only, or files that Node's classes created.
    if (typeof value === 'string') copy.append(name, value)
    else copy.append(name, await toNodeFile(value))
  }
  return copy
}

async function toNodeFile(file: File): Promise<File> {
  if (file instanceof NodeFile) return file
  const { name, type, lastModified } = file
  return new NodeFile([await readBytes(file)], name, { type, lastModified })
}

async function toNodeBlob(blob: Blob): Promise<Blob> {
  return new NodeBlob([await readBytes(blob)], { type: blob.type })
}

function readBytes(blob: Blob): Promise<ArrayBuffer> {
  if (typeof blob.arrayBuffer === 'function') return blob.arrayBuffer()
  // The Blob of jsdom 26 and earlier has no such method.
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as ArrayBuffer)
    reader.onerror = () => reject(new Error('Failed to read the file', { cause: reader.error }))
    reader.readAsArrayBuffer(blob)
  })
}
