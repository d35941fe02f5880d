/**
 * Runs before each test file that shares its page in Chromium with other files. Modules keep their state, which other files in Node do not
 * see: the same files run there with modules of their own (`shared-process.ts`). Here a file gets the globals of the platform, and its own
 * helpers of `testing/`, whose hooks are those of one file.
 */
import { checkGlobals } from './shared-globals.ts'

checkGlobals('page', 'inSharedPage in vitest.config.ts')
