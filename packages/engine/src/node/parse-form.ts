import { Buffer } from 'node:buffer'

import { createNodeForm, NodeFile } from './fetch/page-bodies.ts'

/**
 * Parses a body of the type `multipart/form-data`.
 *
 * @throws {TypeError} as `formData()` of Fetch
 * @see https://andreubotella.github.io/multipart-form-data/#parse
 */
export async function parseForm(body: ArrayBuffer, type: string): Promise<FormData> {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type)
  if (!boundary) throw malformed('its Content-Type has no boundary')
  const form = await createNodeForm()
  const bytes = Buffer.from(body)
  const delimiter = Buffer.from(`--${boundary[1] ?? boundary[2]}`)
  let position = bytes.indexOf(delimiter)
  if (position === -1) throw malformed('it does not contain its boundary')
  for (;;) {
    position += delimiter.length
    // Two hyphens follow the last boundary.
    if (bytes.subarray(position, position + 2).toString() === '--') return form
    const start = bytes.indexOf('\r\n\r\n', position)
    const end = bytes.indexOf(Buffer.concat([Buffer.from('\r\n'), delimiter]), start === -1 ? position : start + 2)
    if (start === -1 || end === -1) throw malformed('a part has no end')
    const value = bytes.subarray(start + 4, Math.max(start + 4, end))
    appendPart(form, bytes.subarray(position, start).toString(), value)
    position = end + 2
  }
}

function appendPart(form: FormData, head: string, value: Buffer<ArrayBuffer>): void {
  const disposition = /^content-disposition:\s*form-data\s*(;[^\r\n]*)/im.exec(head)?.[1] ?? ''
  const parameters = readParameters(disposition)
  const name = parameters.get('name')
  if (name === undefined) throw malformed('a part has no name')
  const file = parameters.get('filename')
  if (file === undefined) {
    form.append(name, value.toString())
    return
  }
  const type = /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1] ?? 'text/plain'
  form.append(name, new NodeFile([value], file, { type }))
}

/**
 * Reads the parameters of `Content-Disposition`, by name in lower case. A quoted value may contain the text of another
 * parameter. Browsers escape three characters of names.
 */
function readParameters(disposition: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', quoted, plain] of disposition.matchAll(/;\s*([^\s=;"]+)=(?:"([^"]*)"|([^;\s]+))/g)) {
    const value = (quoted ?? plain ?? '').replaceAll(/%(0A|0D|22)/gi, (escaped) => decodeURIComponent(escaped))
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value)
  }
  return parameters
}

function malformed(reason: string): TypeError {
  return new TypeError(`Failed to parse body as FormData: ${reason}.`)
}
