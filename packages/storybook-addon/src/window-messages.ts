/**
 * Messages between the manager's window and those of previews. They do not use Storybook's channel: a built preview
 * accepts the channel's messages from any window, and sends them to any page that shows it in a frame.
 */

/** The property that identifies the addon's messages among all messages of a window. */
const mark = 'understudy:storybook'

/** The data of each message, by its name. */
export interface WindowMessages {
  /** A message between `shareInspection` and `connectInspections`, which check it. */
  readonly inspection: unknown
  /** A {@link StoryReport} of a preview, whenever it changes. */
  readonly report: unknown
  /** The manager asks for all reports, because it may load later than the preview. */
  readonly 'request-reports': null
  /** The manager's settings as text, sent when they change. */
  readonly settings: unknown
}

type Name = keyof WindowMessages

/** A message in the form in which it is sent. */
export interface WindowMessage {
  readonly name: Name
  readonly payload: unknown
}

const names: readonly string[] = ['inspection', 'report', 'request-reports', 'settings'] satisfies Name[]

/** Wraps a message for `postMessage`. */
export function sealWindowMessage<Of extends Name>(name: Of, payload: WindowMessages[Of]): object {
  return { [mark]: name, payload }
}

/** @returns `undefined` for other messages */
export function readWindowMessage(data: unknown): WindowMessage | undefined {
  if (typeof data !== 'object' || data === null || !Object.hasOwn(data, mark)) return undefined
  const { [mark]: name, payload } = data as { [mark]?: unknown; payload?: unknown }
  return typeof name === 'string' && names.includes(name) ? { name: name as Name, payload } : undefined
}

/** The problems of a story. */
export interface StoryReport {
  readonly storyId: string
  /** The id of the composed Storybook, if the page belongs to one. */
  readonly refId: string | null
  readonly unhandled: number
  readonly errors: number
  /** The number of problems with the story's parameters. */
  readonly problems: number
}

/** @returns `undefined` for a report of another shape */
export function readStoryReport(value: unknown): StoryReport | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { storyId, refId, unhandled, errors, problems } = value as Partial<Record<keyof StoryReport, unknown>>
  if (typeof storyId !== 'string' || !(refId === null || typeof refId === 'string')) return undefined
  if (!isCount(unhandled) || !isCount(errors) || !isCount(problems)) return undefined
  return { storyId, refId, unhandled, errors, problems }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
