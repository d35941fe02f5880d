/** The ids of the panel's tabs. */
export type TabId = 'handlers' | 'requests' | 'unhandled' | 'state'

const ids: readonly string[] = ['handlers', 'requests', 'unhandled', 'state'] satisfies readonly TabId[]

/** The session storage key of the tab that was chosen last. In the dock, a reload of the app also reloads the panel. */
const key = 'understudy:panel-tab'

/** Reads which of the panel's tabs was chosen last in this tab of the browser. */
export function readChosenTab(): TabId {
  try {
    const id = sessionStorage.getItem(key) ?? ''
    return ids.includes(id) ? (id as TabId) : 'handlers'
  } catch {
    // The browser blocks storage for this page.
    return 'handlers'
  }
}

export function keepChosenTab(id: string): void {
  try {
    sessionStorage.setItem(key, id)
  } catch {
    // The next panel starts with the first tab.
  }
}
