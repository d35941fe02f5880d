import * as React from 'react'

const controls = 'button, input, select, textarea, a[href], summary, [tabindex]'
const rowsOrControls = `[data-us-row], ${controls}`

interface RovingRows {
  readonly ref: React.RefCallback<HTMLDivElement>
  readonly onKeyDown: (event: React.KeyboardEvent) => void
  readonly onFocus: (event: React.FocusEvent) => void
}

/**
 * Reduces the tab stops of many rows to the controls of one row. The arrow keys move to the same control of the row
 * above or below. Rows are elements with `data-us-row`.
 */
export function useRovingRows(): RovingRows {
  const [list, setList] = React.useState<HTMLDivElement | null>(null)
  const current = React.useRef<string | undefined>(undefined)

  const update = React.useCallback((): void => {
    const rows = readRows(list)
    const active = rows.find((row) => row.dataset['usRow'] === current.current) ?? rows[0]
    for (const row of rows) {
      const tabIndex = row === active ? 0 : -1
      for (const control of controlsOf(row)) if (control.tabIndex !== tabIndex) control.tabIndex = tabIndex
    }
  }, [list])

  // Most changes are counters and times. To look through hundreds of rows after each of them would take longer than
  // the rendering.
  React.useLayoutEffect(() => {
    if (!list) return undefined
    update()
    const observer = new MutationObserver((records) => {
      if (records.some(changesControls)) update()
    })
    observer.observe(list, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [list, update])

  return {
    ref: setList,
    onFocus({ target }) {
      const row = (target as HTMLElement).closest<HTMLElement>('[data-us-row]')
      if (!row || row.dataset['usRow'] === current.current) return
      current.current = row.dataset['usRow']
      update()
    },
    onKeyDown(event) {
      const target = event.target as HTMLElement
      // These controls use the arrow keys themselves.
      if (target.matches('select, input, textarea, pre')) return
      const rows = readRows(list)
      const row = target.closest<HTMLElement>('[data-us-row]')
      const index = row ? rows.indexOf(row) : -1
      const next = rows[nextIndex(event.key, index, rows.length)]
      if (!row || !next || next === row) return
      event.preventDefault()
      const column = controlsOf(row).indexOf(target)
      const candidates = controlsOf(next)
      candidates[Math.min(column, candidates.length - 1)]?.focus()
    },
  }
}

/** Returns the index to which a key moves in a list; -1 if it does not move. */
export function nextIndex(key: string, index: number, length: number, page = 10): number {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, length - 1)
    case 'ArrowUp':
      return Math.max(index - 1, 0)
    case 'PageDown':
      return Math.min(index + page, length - 1)
    case 'PageUp':
      return Math.max(index - page, 0)
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return -1
  }
}

function readRows(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-us-row]') ?? [])]
}

/** Returns whether rows or controls were added or removed. */
function changesControls({ addedNodes, removedNodes }: MutationRecord): boolean {
  return [...addedNodes, ...removedNodes].some(
    (node) => node instanceof Element && (node.matches(rowsOrControls) || node.querySelector(rowsOrControls) !== null),
  )
}

function controlsOf(row: HTMLElement): HTMLElement[] {
  return [...row.querySelectorAll<HTMLElement>(controls)]
}
