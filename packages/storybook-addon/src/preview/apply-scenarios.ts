import { failure } from '@understudy/engine/internal/page'

import type { PageMocking } from './mocking-state.ts'
import type { UnderstudyParameters } from './parameters.ts'
import type { StoryRun } from './story-run.ts'

/**
 * Reads the scenarios of a story's parameter or of the toolbar's global: a name, several names with commas, or a list.
 */
export function readScenarioNames(value: unknown): readonly string[] {
  const names: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  return names.flatMap((name) => (typeof name === 'string' && name.trim()) || [])
}

/** Returns the scenarios of a story's parameters. */
export function scenariosOf(parameters: object): readonly string[] {
  return readScenarioNames((parameters as UnderstudyParameters).understudy?.scenario)
}

/**
 * Replaces the active scenarios with those of the toolbar and then those of the story.
 *
 * @throws {UnderstudyError} if there is no scenario with a name. Otherwise, the story would show the usual responses
 */
export function applyScenarios(
  mocking: PageMocking,
  run: StoryRun,
  chosen: readonly string[],
  ofStory: readonly string[],
): void {
  const { scenarios } = mocking.network
  const names = [...new Set([...chosen, ...ofStory])]
  if (mocking.scenarios.join() !== chosen.join()) {
    mocking.scenarios = chosen
    for (const frame of document.querySelectorAll<HTMLIFrameElement>('.sb-story iframe')) {
      frame.contentWindow?.location.reload()
    }
  }
  if (!scenarios) {
    if (names.length === 0) return
    throw failure(
      'US0909',
      `activate the scenario ${names.map((name) => JSON.stringify(name)).join(', ')}`,
      "the project's handlers module exports no scenarios",
      'Export them: export const scenarios = { empty: [http.get(path, resolver)] }.',
    )
  }
  if (scenarios.active.join() === names.join()) return
  scenarios.activate(names)
  // Render the story again, because it shows earlier responses.
  if (run.isRendered) run.mustRemount = true
}
