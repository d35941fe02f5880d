import type { Handler } from '@understudy/engine'
import { checkHandlers, describe, failure, isHandler, isPromise, print } from '@understudy/engine/internal/page'

import { checkParameters } from './check-parameters.ts'

/** Named groups. `null` removes a group of the component or the preview. */
export type HandlerGroups = Readonly<Record<string, Handler | readonly Handler[] | null>>

/** The argument of a function that returns a story's handlers, for example from controls. */
export interface HandlersContext {
  readonly args: Readonly<Record<string, unknown>>
  readonly globals: Readonly<Record<string, unknown>>
  readonly parameters: Readonly<Record<string, unknown>>
}

/**
 * `parameters.handlers`: a list, named groups, or a function that returns one of these. The function is called again
 * when args change.
 */
export type HandlersParameter =
  | readonly Handler[]
  | HandlerGroups
  | ((context: HandlersContext) => readonly Handler[] | HandlerGroups | Promise<readonly Handler[] | HandlerGroups>)

/** The levels whose parameters contain handlers, in the order in which they answer. */
const levels = ['story', 'component', 'preview'] as const
export type HandlerLevel = (typeof levels)[number]

/** A group of handlers in a story's parameters. */
export interface HandlerGroup {
  readonly name: string | null
  readonly level: HandlerLevel
  readonly handlers: readonly Handler[]
}

/** The handlers of a story, in the order in which they answer, and the problems with other values. */
export interface StoryHandlers {
  readonly groups: readonly HandlerGroup[]
  /** Messages, which contain story, parameter and group. */
  readonly problems: readonly string[]
}

export const noHandlers: StoryHandlers = { groups: [], problems: [] }

export function listOf({ groups }: StoryHandlers): readonly Handler[] {
  return groups.flatMap(({ handlers }) => handlers)
}

/** The data of a story from which its handlers are read. */
export interface StoryAnnotations extends HandlersContext {
  /** `Users/Error` */
  readonly name: string
  /** Only the story's own parameters, if Storybook provides them. */
  readonly own?: Readonly<Record<string, unknown>> | undefined
  /** Only the preview's parameters, if Storybook provides them. Parameters of neither belong to the component. */
  readonly preview?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Reads `parameters.handlers` and `parameters.msw`, and checks `parameters.understudy`. Values that are not valid are
 * omitted and reported; it never throws.
 *
 * @returns a promise only if a function returned one
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
  const others = { groups: [], problems: checkParameters(story.name, story.parameters['understudy']) }
  const ready = read.filter((result): result is StoryHandlers => !isPromise(result))
  return ready.length === read.length
    ? join([...ready, others])
    : Promise.all(read.map((each) => Promise.resolve(each))).then((all) => join([...all, others]))
}

/** Returns the handlers of `parameters.msw`, which may contain them one level deeper. */
function withoutHolder(msw: unknown): unknown {
  return isRecord(msw) && 'handlers' in msw ? msw['handlers'] : msw
}

function join(read: readonly StoryHandlers[]): StoryHandlers {
  return { groups: read.flatMap(({ groups }) => groups), problems: read.flatMap(({ problems }) => problems) }
}

/** The values of a parameter at each level, before Storybook merges them. */
interface Given {
  readonly story: unknown
  readonly preview: unknown
}

/** Merging keeps lists, functions and handlers as they are, so each belongs to the level that has the same object. */
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
    return isPromise(returned) ? Promise.resolve(returned).then(take, fail) : take(returned)
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
  // `msw-storybook-addon` accepts lists in a list, and leaves out `false`, as in `isOpen && http.get(…)`.
  const isLenient = parameter === 'parameters.msw'
  if (Array.isArray(value)) {
    const members = isLenient ? value.flat().filter(Boolean) : value
    return readList(story, parameter, members, { name: null, level: findLevel(null, value) })
  }
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
    if (members === null || members === undefined || (isLenient && !members)) return noHandlers
    const group = { name, level: findLevel(name, members) }
    if (Array.isArray(members)) {
      return readList(story, `${parameter}.${name}`, isLenient ? members.filter(Boolean) : members, group)
    }
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

/** Prints the problems on the console. The story still renders. */
export function reportProblems({ problems }: StoryHandlers): void {
  for (const message of problems) print.failure(message)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
