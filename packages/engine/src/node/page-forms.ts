import { Request, Response } from '../core/platform.ts'
import type { Source } from '../core/source.ts'
import { hasPageFiles, NodeFile } from './fetch/page-bodies.ts'
import { parseForm } from './parse-form.ts'

interface Body {
  readonly headers: Headers
  arrayBuffer(): Promise<ArrayBuffer>
}

/** The methods that are replaced, by the object that has them. */
const replaced = new Map<object, PropertyDescriptor>()
let refuseNodeFiles: (() => void) | undefined
let users = 0

/**
 * Lets handlers read forms with files beside jsdom. Node's `formData()` creates files with the global class. It rejects those
 * of jsdom's class, which its own form does not accept.
 */
export class PageForms implements Source {
  readonly name = 'page forms'
  #isOn = false

  start(): void {
    if (!this.#isOn) users++
    this.#isOn = true
    if (replaced.size > 0 || !hasPageFiles() || !isOfThisRealm()) return
    replaceFormData(Request)
    replaceFormData(Response)
    acceptNodeFiles(globalThis.File)
  }

  stop(): void {
    if (this.#isOn && --users === 0) {
      for (const [owner, native] of replaced) Object.defineProperty(owner, 'formData', native)
      replaced.clear()
      refuseNodeFiles?.()
    }
    this.#isOn = false
  }
}

/**
 * Returns whether Node's Fetch reads the global object that the page changed. In the contexts of Jest, it reads another one.
 * happy-dom has its own Fetch.
 */
function isOfThisRealm(): boolean {
  return Request instanceof Function && !('happyDOM' in globalThis)
}

function replaceFormData(Class: typeof Request | typeof Response): void {
  let owner = Class.prototype as object | null
  while (owner && !Object.hasOwn(owner, 'formData')) owner = Object.getPrototypeOf(owner) as object | null
  const native = owner && Object.getOwnPropertyDescriptor(owner, 'formData')
  if (!owner || !native) return
  const method = native.value as (this: Body) => Promise<FormData>
  replaced.set(owner, native)
  async function formData(this: Body): Promise<FormData> {
    const type = hasPageFiles() ? this.headers.get('content-type') : undefined
    if (!type || !/^\s*multipart\/form-data\s*;/i.test(type)) return method.call(this)
    return parseForm(await this.arrayBuffer(), type)
  }
  Object.defineProperty(owner, 'formData', { ...native, value: formData })
}

/** Lets handlers test what they read: `form.get('avatar') instanceof File`. */
function acceptNodeFiles(PageFile: typeof File): void {
  const isInstance = Function.prototype[Symbol.hasInstance]
  Object.defineProperty(PageFile, Symbol.hasInstance, {
    value: (value: unknown) => isInstance.call(PageFile, value) || isInstance.call(NodeFile, value),
    configurable: true,
  })
  refuseNodeFiles = () => Reflect.deleteProperty(PageFile, Symbol.hasInstance)
}
