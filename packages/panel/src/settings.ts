/** For hosts that apply settings where no panel is open: without what renders one. */
export { keysOfHandlers, parseSettings, type Setting, type Settings } from './settings/settings.ts'
