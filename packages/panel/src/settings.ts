/** For hosts that apply settings without an open panel. It does not load the code that renders the panel. */
export { keysOfHandlers, parseSettings, type Setting, type Settings } from './settings/settings.ts'
