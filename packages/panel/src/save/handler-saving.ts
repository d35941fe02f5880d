import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

import { toHandlerCode } from '../handler-code/handler-code.ts'
import { insertHandler, writeHandler } from '../handler-code/insert-handler.ts'
import { insertScenario, writeScenario } from '../handler-code/insert-scenario.ts'
import { joinHandlers, type JoinedHandlers } from '../handler-code/join-handlers.ts'
import { replaceResolver } from '../handler-code/replace-resolver.ts'
import { toScenarioCode } from '../handler-code/scenario-code.ts'
import { suggestPaths } from '../handler-code/suggest-paths.ts'
import { checkLink } from './check-link.ts'
import { createDiff } from './create-diff.ts'
import { overwriteFile } from './overwrite-file.ts'
import type { SaveMode, SavePreview, SaveRequest } from './save-request.ts'

/** The handlers file: its path on the disk, and its name in messages. */
export interface HandlersPlace {
  readonly path: string
  readonly name: string
}

type PreviewRequest = Extract<SaveRequest, { action: 'preview' }>
type ScenarioRequest = Extract<SaveRequest, { action: 'preview-scenario' }>

/** An edit that was shown. */
interface Edit {
  readonly place: HandlersPlace
  readonly before: string
  readonly after: string
}

/** The maximum number of edits to keep, and the maximum length of a file in bytes. */
const editsLimit = 50
const fileLimit = 2_000_000

/**
 * Writes handlers into the handlers file. It computes each edit itself, from data. An edit is written only if it was
 * shown before, and only into the file that the plugin found.
 */
export class HandlerSaving {
  readonly #find: () => HandlersPlace
  /** The newest last. */
  readonly #edits = new Map<string, Edit>()
  #last: Promise<unknown> = Promise.resolve()

  /** @param find finds the handlers file; throws if there is none */
  constructor(find: () => HandlersPlace) {
    this.#find = find
  }

  /** Answers one request after the other. */
  answer(request: SaveRequest): Promise<SavePreview | Record<never, never>> {
    const answer = this.#last.then(() => this.#answer(request))
    this.#last = answer.catch(() => undefined)
    return answer
  }

  async #answer(request: SaveRequest): Promise<SavePreview | Record<never, never>> {
    if (request.action === 'preview') return this.#preview(chooseHandler(request), request)
    if (request.action === 'preview-all') return this.#preview(joinHandlers(request.exchanges, request.path))
    if (request.action === 'preview-scenario') return this.#previewScenario(request)
    const edit = this.#edits.get(request.id)
    if (!edit) {
      throw new Error(
        'Failed to change the handlers file: the dev server does not know this edit, because it was restarted or because of many later edits. Save the handler again. (US0849)',
      )
    }
    return request.action === 'write' ? write(edit) : undo(edit)
  }

  /** @param asked the request for a single handler, which may replace the one that answered */
  async #preview({ handler, paths, path }: JoinedHandlers, asked?: PreviewRequest): Promise<SavePreview> {
    const { header, notes } = handler
    const shared = { header, notes, paths, path }
    let file = ''
    let before = ''
    try {
      const place = this.#find()
      file = place.name
      before = await readSource(place)
      const resolver = asked && toHandlerCode(asked.exchange, path)
      const replacement = asked && resolver && replaceResolver(place.name, before, asked.exchange, resolver)
      const canReplace = replacement !== undefined
      // Code of the developer is replaced only on request, and so is data that would be redacted or shortened.
      const isPlain = replacement?.notes.length === 0 && resolver?.isWhole === true
      const suggested: SaveMode = isPlain ? 'replace' : 'insert'
      const mode = canReplace ? (asked?.mode ?? suggested) : 'insert'
      const isReplaced = mode === 'replace' && canReplace
      const after = isReplaced ? replacement.text : insertHandler(place.name, before, handler)
      const code = writeHandler(handler, before)
      const edit = { ...this.#keep({ place, before, after }), error: null, file, code, mode, canReplace }
      if (!isReplaced) return { ...shared, ...edit }
      // The path of the handler stays.
      return {
        ...shared,
        ...edit,
        header: asked?.exchange.header ?? header,
        paths: [],
        notes: [...replacement.notes, ...notes],
      }
    } catch (error) {
      const code = writeHandler(handler, before)
      const shown = { file, code, diff: '', mode: 'insert', canReplace: false } as const
      return { ...shared, id: null, error: (error as Error).message, ...shown }
    }
  }

  async #previewScenario({ name, items }: ScenarioRequest): Promise<SavePreview> {
    const scenario = toScenarioCode(name, items)
    const { header, notes } = scenario
    const shared = { header, paths: [], path: '', canReplace: false }
    let file = ''
    let before = ''
    try {
      const place = this.#find()
      file = place.name
      before = await readSource(place)
      const { text: after, isReplaced } = insertScenario(place.name, before, name, scenario)
      const replaced = isReplaced ? [`The file has a scenario "${name}": its handlers are replaced.`] : []
      return {
        ...shared,
        ...this.#keep({ place, before, after }),
        error: null,
        file,
        code: writeScenario(name, scenario, before),
        mode: isReplaced ? 'replace' : 'insert',
        notes: [...replaced, ...notes],
      }
    } catch (error) {
      const { message } = error as Error
      const code = writeScenario(name, scenario, before)
      return { ...shared, id: null, error: message, file, code, diff: '', mode: 'insert', notes }
    }
  }

  /** Keeps an edit until it is written. */
  #keep(edit: Edit): Pick<SavePreview, 'diff'> & { readonly id: string } {
    const { place, before, after } = edit
    // Otherwise, the edit could not be undone.
    if (Buffer.byteLength(after) > fileLimit) throw uneditable(place)
    const id = randomBytes(12).toString('base64url')
    this.#edits.set(id, edit)
    for (const old of [...this.#edits.keys()].slice(0, -editsLimit)) this.#edits.delete(old)
    return { id, diff: createDiff(before, after) }
  }
}

function chooseHandler({ exchange, path: wanted }: PreviewRequest): JoinedHandlers {
  const paths = suggestPaths(exchange)
  const path = paths.find((each) => each === wanted) ?? paths[0]
  return { handler: toHandlerCode(exchange, path), paths, path }
}

async function write({ place, before, after }: Edit): Promise<Record<never, never>> {
  if ((await readSource(place)) !== before) {
    throw new Error(
      `Failed to save the handler: ${place.name} has changed since the diff was shown. Look at the new diff, and save again. (US0847)`,
    )
  }
  await overwriteFile(place.path, after).catch((error: unknown) => fail('written', place, error))
  return {}
}

async function undo({ place, before, after }: Edit): Promise<Record<never, never>> {
  if ((await readSource(place)) !== after) {
    throw new Error(
      `Failed to undo: ${place.name} has changed since the handler was saved. Remove the handler in your editor. (US0848)`,
    )
  }
  await overwriteFile(place.path, before).catch((error: unknown) => fail('written', place, error))
  return {}
}

/** How often to read a file that is empty, and how long to wait before each further attempt, in ms. */
const attempts = 10
const pause = 20

/** Reads the text of a file that may be written. Fails if writing the text back would not result in the same bytes. */
async function readSource(place: HandlersPlace): Promise<string> {
  await checkLink(place)
  const load = (): Promise<Buffer> => readFile(place.path).catch((error: unknown) => fail('read', place, error))
  let bytes = await load()
  // An editor empties a file before it writes the new text.
  for (let attempt = 1; bytes.length === 0 && attempt < attempts; attempt += 1) {
    await wait(pause)
    bytes = await load()
  }
  const text = bytes.toString()
  if (bytes.length > fileLimit || !Buffer.from(text).equals(bytes)) throw uneditable(place)
  return text
}

/** @throws {Error} with the reason of the file system, without the file's path on the disk */
function fail(action: 'read' | 'written', { name }: HandlersPlace, error: unknown): never {
  const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
  throw new Error(
    `Failed to save the handler: ${name} cannot be ${action} (${reason}). Check that the file exists and that you may write it, or copy the code. (US0887)`,
    { cause: error },
  )
}

function uneditable({ name }: HandlersPlace): Error {
  return new Error(
    `Failed to save the handler: ${name} is longer than 2 MB, or is not UTF-8. Copy the code into your editor. (US0840)`,
  )
}
