import { exchangesLimit, isExchange, isRecord, isText, urlLimit, type Exchange } from '../handler-code/exchange.ts'
import { isScenarioItems, isScenarioName, type ScenarioItem } from '../handler-code/scenario-item.ts'

/** Whether a saved handler replaces the resolver of the handler that answered, or comes before all handlers. */
export type SaveMode = 'insert' | 'replace'

/** A request of the panel's page to the dev server. The page never sends code or the path of a file. */
export type SaveRequest =
  | {
      readonly action: 'preview'
      readonly exchange: Exchange
      readonly path: string | null
      /** `null`: the dev server's suggestion. */
      readonly mode?: SaveMode | null
    }
  /** Several handlers in one edit; the exchanges are the oldest first. */
  | { readonly action: 'preview-all'; readonly exchanges: readonly Exchange[]; readonly path: string | null }
  /** A scenario; the handlers are in the order in which they are tried. */
  | { readonly action: 'preview-scenario'; readonly name: string; readonly items: readonly ScenarioItem[] }
  | { readonly action: 'undo' | 'write'; readonly id: string }

/** An edit of the handlers file that was computed and not written yet. */
export interface SavePreview {
  /** The id of the edit for {@link SaveRequest}; `null` if the file cannot be edited. */
  readonly id: string | null
  /** The reason why the file cannot be edited. */
  readonly error: string | null
  /** The handlers file, relative to the project's root. */
  readonly file: string
  /** The new handler's header, such as `GET /api/users/:id`, or the name of the scenario. */
  readonly header: string
  /** Paths to choose from, and the one in the code. */
  readonly paths: readonly string[]
  readonly path: string
  /** The effect of the edit. */
  readonly mode: SaveMode
  /** Whether the handler that answered can be replaced. */
  readonly canReplace: boolean
  readonly code: string
  /** A unified diff. Empty if the file already contains the code. */
  readonly diff: string
  /** Notes about redacted and shortened values, in sentences. */
  readonly notes: readonly string[]
}

/** @returns the request in a body; `undefined` if the body is malformed */
export function parseSaveRequest(body: string): SaveRequest | undefined {
  let data: unknown
  try {
    data = JSON.parse(body)
  } catch {
    return undefined
  }
  if (!isRecord(data)) return undefined
  const { action, id, exchange, exchanges, name, items, path = null, mode = null } = data
  if (action === 'write' || action === 'undo') return isText(id, 100) ? { action, id } : undefined
  if (action === 'preview-scenario') {
    return isScenarioName(name) && isScenarioItems(items) ? { action, name, items } : undefined
  }
  if (path !== null && !isText(path, urlLimit)) return undefined
  if (mode !== null && mode !== 'insert' && mode !== 'replace') return undefined
  if (action === 'preview') return isExchange(exchange) ? { action, exchange, path, mode } : undefined
  return action === 'preview-all' && isExchanges(exchanges) ? { action, exchanges, path } : undefined
}

function isExchanges(value: unknown): value is readonly Exchange[] {
  return Array.isArray(value) && value.length > 0 && value.length <= exchangesLimit && value.every(isExchange)
}
