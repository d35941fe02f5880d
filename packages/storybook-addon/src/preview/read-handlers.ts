import type { Handler } from '@understudy/engine'
import { checkHandlers, describe, failure, isHandler, print } from '@understudy/engine/internal/page'

/** Named groups; `null` switches one off that a component or the preview gives. */
export type HandlerGroups = Readonly<Record<string, Handler | readonly Handler[] | null>>

/** What a story's handlers may be made of, where controls drive the responses. */
export interface HandlersContext {
  readonly args: Readonly<Record<string, unknown>>
  readonly globals: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, unknown>>
}

/** `parameters.handlers`: a list, named groups, or a function that returns one; it is called again when args change. */
export type HandlersParameter =
  | readonly Handler[]
  | HandlerGroups
  | ((context: HandlersContext) => readonly Handler[] | HandlerGroups | Promise<readonly Handler[] | HandlerGroups>)

/** Whose parameters give handlers, in the order in which they answer. */
const levels = ['story', 'component', 'preview'] as const
export type HandlerLevel = (typeof levels)[number]

/** Handlers that a story's parameters give together. */
export interface HandlerGroup {
  readonly name: string | null
  readonly level: HandlerLevel
  readonly handlers: readonly Handler[]
}

/** The handlers of a story, in the order in which they answer, and what is wrong with others. */
export interface StoryHandlers {
  readonly groups: readonly HandlerGroup[]
  /** In words for people; each names story, parameter and group. */
  readonly problems: readonly string[]
}

export const noHandlers: StoryHandlers = { groups: [], problems: [] }

export function listOf({ groups }: StoryHandlers): readonly Handler[] {
  return groups.flatMap(({ handlers }) => handlers)
}

/** A story, as its handlers are read. */
export interface StoryAnnotations extends HandlersContext {
  /** `Users/Error` */
  readonly name: string
  /** Only the story's own parameters, if Storybook provides them. */
  readonly own?: Readonly<Record<string, unknown>> | undefined
  /** Only the preview's parameters, if Storybook provides them. Parameters of neither belong to the component. */
  readonly preview?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Reads `parameters.handlers` and `parameters.msw`. Values that are not valid are omitted and reported; it never
 * throws.
 *
 * @returns a promise only where a function returned one
 */
export function readHandlers(story: StoryAnnotations): StoryHandlers | Promise<StoryHandlers> {
  const read = (['handlers', 'msw'] as const).map((key) => {
    const pick = (parameters: Readonly<Record<string, unknown>> | undefined): unknown =>
      key === 'msw' ? withoutHolder(parameters?.[key]) : parameters?.[key]
    return readParameter(story, `parameters.${key}`, pick(story.parameters), {
      story: pick(story.own),
      preview: pick(story.preview),
    })
  })
  const ready = read.filter((result): result is StoryHandlers => !(result instanceof Promise))
  return ready.length === read.length ? join(ready) : Promise.all(read.map((each) => Promise.resolve(each))).then(join)
}

/** `parameters.msw` may hold the handlers one level deeper. */
function withoutHolder(msw: unknown): unknown {
  return isRecord(msw) && 'handlers' in msw ? msw['handlers'] : msw
}

function join(read: readonly StoryHandlers[]): StoryHandlers {
  return { groups: read.flatMap(({ groups }) => groups), problems: read.flatMap(({ problems }) => problems) }
}

/** What each level says of a parameter, before Storybook merges it. */
interface Given {
  readonly story: unknown
  readonly preview: unknown
}

/** Merging keeps lists, functions and handlers as they are: each is of the level that gives the same one. */
function levelOf(value: unknown, given: Given, name: string | null): HandlerLevel {
  const of = (whole: unknown): unknown => (name === null ? whole : isRecord(whole) ? whole[name] : undefined)
  if (of(given.story) === value) return 'story'
  return of(given.preview) === value ? 'preview' : 'component'
}

function readParameter(
  story: StoryAnnotations,
  parameter: string,
  value: unknown,
  given: Given,
): StoryHandlers | Promise<StoryHandlers> {
  if (value === undefined || value === null) return noHandlers
  if (typeof value !== 'function') {
    return readValue(story, parameter, value, (name, members) => levelOf(members, given, name))
  }
  const { args, globals, parameters } = story
  const level = levelOf(value, given, null)
  const take = (returned: unknown): StoryHandlers => readValue(story, parameter, returned, () => level)
  const fail = (error: unknown): StoryHandlers => {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : describe(error)
    return problem(story, `the function ${parameter} threw (${reason})`, 'Fix it. It runs again when an arg changes.')
  }
  try {
    const returned: unknown = (value as (context: HandlersContext) => unknown)({ args, globals, parameters })
    return returned instanceof Promise ? returned.then(take, fail) : take(returned)
  } catch (error) {
    return fail(error)
  }
}

function readValue(
  story: StoryAnnotations,
  parameter: string,
  value: unknown,
  findLevel: (name: string | null, members: unknown) => HandlerLevel,
): StoryHandlers {
  if (Array.isArray(value)) return readList(story, parameter, value, { name: null, level: findLevel(null, value) })
  if (isHandler(value)) {
    return problem(story, `${parameter} is one handler`, 'Put it into an array: [handler].')
  }
  if (!isRecord(value)) {
    return problem(
      story,
      `${parameter} is ${describe(value)}`,
      'Pass an array of handlers, a record of named arrays, or a function that returns one.',
    )
  }
  const groups = Object.entries(value).map(([name, members]): StoryHandlers => {
    if (members === null || members === undefined) return noHandlers
    const group = { name, level: findLevel(name, members) }
    if (Array.isArray(members)) return readList(story, `${parameter}.${name}`, members, group)
    if (isHandler(members)) return { groups: [{ ...group, handlers: [members] }], problems: [] }
    return problem(
      story,
      `the group ${parameter}.${name} is ${describe(members)}`,
      'A group is a handler, an array of them, or null.',
    )
  })
  const all = join(groups)
  // The story's own groups answer before those of its component, and these before those of the preview.
  return { ...all, groups: levels.flatMap((level) => all.groups.filter((group) => group.level === level)) }
}

function readList(
  story: StoryAnnotations,
  where: string,
  members: readonly unknown[],
  group: Pick<HandlerGroup, 'name' | 'level'>,
): StoryHandlers {
  const problems: string[] = []
  const handlers = members.filter((member, index): member is Handler => {
    try {
      checkHandlers(operationOf(story), [member], () => `item ${index + 1} of ${where}`)
      return true
    } catch (error) {
      problems.push((error as Error).message)
      return false
    }
  })
  return { groups: [{ ...group, handlers }], problems }
}

function problem(story: StoryAnnotations, reason: string, action: string): StoryHandlers {
  return { groups: [], problems: [failure('US0904', operationOf(story), reason, action).message] }
}

function operationOf({ name }: StoryAnnotations): string {
  return `read the handlers of the story "${name}"`
}

/** Tells the console what is wrong. The story renders all the same. */
export function reportProblems({ problems }: StoryHandlers): void {
  for (const message of problems) print.failure(message)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
