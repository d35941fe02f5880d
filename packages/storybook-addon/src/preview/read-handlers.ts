import type { Handler } from '@understudy/engine'
import { checkHandlers, describe, failure, isHandler, print } from '@understudy/engine/bootstrap'

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

/** Handlers that a story's parameters give together. */
export interface HandlerGroup {
  readonly name: string | null
  /** Whether the story itself gives them; else its component or the preview does. */
  readonly level: 'story' | 'inherited'
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
  /** What the story's own file says of it, where Storybook tells. */
  readonly own?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Reads `parameters.handlers` and `parameters.msw`. What is no good is left out and named; it never throws.
 *
 * @returns a promise only where a function returned one
 */
export function readHandlers(story: StoryAnnotations): StoryHandlers | Promise<StoryHandlers> {
  const { handlers, msw } = story.parameters
  const ofMsw = withoutHolder(msw)
  const ownMsw = withoutHolder(story.own?.['msw'])
  const read = [
    readParameter(story, 'parameters.handlers', handlers, story.own?.['handlers']),
    readParameter(story, 'parameters.msw', ofMsw, ownMsw),
  ]
  return read.some((result) => result instanceof Promise)
    ? Promise.all(read.map((each) => Promise.resolve(each))).then(join)
    : join(read as StoryHandlers[])
}

/** `parameters.msw` may hold the handlers one level deeper. */
function withoutHolder(msw: unknown): unknown {
  return isRecord(msw) && 'handlers' in msw ? msw['handlers'] : msw
}

function join(read: readonly StoryHandlers[]): StoryHandlers {
  return { groups: read.flatMap(({ groups }) => groups), problems: read.flatMap(({ problems }) => problems) }
}

function readParameter(
  story: StoryAnnotations,
  parameter: string,
  value: unknown,
  own: unknown,
): StoryHandlers | Promise<StoryHandlers> {
  if (value === undefined || value === null) return noHandlers
  if (typeof value !== 'function') return readValue(story, parameter, value, own)
  const { args, globals, parameters } = story
  const fail = (error: unknown): StoryHandlers => {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : describe(error)
    return problem(story, `the function ${parameter} threw (${reason})`, 'Mend it; it runs again when an arg changes.')
  }
  try {
    const returned: unknown = (value as (context: HandlersContext) => unknown)({ args, globals, parameters })
    return returned instanceof Promise
      ? returned.then(
          (result: unknown) => readValue(story, parameter, result, own === value ? result : undefined),
          fail,
        )
      : readValue(story, parameter, returned, own === value ? returned : undefined)
  } catch (error) {
    return fail(error)
  }
}

function readValue(story: StoryAnnotations, parameter: string, value: unknown, own: unknown): StoryHandlers {
  if (Array.isArray(value)) {
    const { groups: lists, problems } = readList(story, parameter, null, value)
    return { groups: lists.map((list) => ({ ...list, level: value === own ? 'story' : 'inherited' })), problems }
  }
  if (isHandler(value)) {
    return problem(story, `${parameter} is one handler`, 'Put it into an array: [handler].')
  }
  if (!isRecord(value)) {
    return problem(
      story,
      `${parameter} is ${describe(value)}`,
      'Give an array of handlers, a record of named arrays, or a function that returns one.',
    )
  }
  const groups = Object.entries(value).map(([name, members]): StoryHandlers => {
    if (members === null || members === undefined) return noHandlers
    if (Array.isArray(members)) return readList(story, `${parameter}.${name}`, name, members)
    if (isHandler(members)) return { groups: [{ name, level: 'inherited', handlers: [members] }], problems: [] }
    return problem(
      story,
      `the group ${parameter}.${name} is ${describe(members)}`,
      'A group is a handler, an array of them, or null.',
    )
  })
  // The story's own groups answer before those of its component and of the preview.
  const isOwn = ({ name }: HandlerGroup): boolean => isRecord(own) && name !== null && Object.hasOwn(own, name)
  const all = join(groups)
  return {
    groups: [
      ...all.groups.filter(isOwn).map((group) => ({ ...group, level: 'story' as const })),
      ...all.groups.filter((group) => !isOwn(group)),
    ],
    problems: all.problems,
  }
}

function readList(
  story: StoryAnnotations,
  where: string,
  name: string | null,
  members: readonly unknown[],
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
  return { groups: [{ name, level: 'inherited', handlers }], problems }
}

function problem(story: StoryAnnotations, reason: string, mend: string): StoryHandlers {
  return { groups: [], problems: [failure(operationOf(story), reason, mend).message] }
}

function operationOf({ name }: StoryAnnotations): string {
  return `read the handlers of the story "${name}"`
}

/** Tells the console what is wrong. The story renders all the same. */
export function reportProblems({ problems }: StoryHandlers): void {
  for (const message of problems) print.error(message)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
