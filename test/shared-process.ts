/**
 * Runs before each test file that shares its process with other files. The file gets modules of its own, without the state that an
 * earlier file left in them, and the globals of the platform. To load modules again takes milliseconds; a new process takes a third
 * of a second ([decision 255](../docs/decisions/0255-tests-of-logic-share-processes.md)).
 */
import { vi } from 'vitest'

import { checkGlobals } from './shared-globals.ts'

vi.resetModules()
checkGlobals('process', 'sharedProcess in vitest.config.ts')
