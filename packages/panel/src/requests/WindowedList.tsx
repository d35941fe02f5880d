import * as React from 'react'

import { nextIndex } from '../roving-rows.ts'
import { RowKeys } from './row-keys.ts'

interface WindowedListProps<Item extends { readonly id: string }> {
  ariaLabel: string
  items: readonly Item[]
  selectedId: string | null
  onSelect: (item: Item) => void
  /** Called for the key Escape in the list. */
  onEscape: () => void
  /** Whether an item is text between rows, which cannot be selected. Default: no item is. */
  isDivider?: (item: Item) => boolean
  /** Whether all rows have the height of two lines. Default: `false`. */
  hasTwoLines?: boolean
  children: (item: Item) => React.ReactNode
}

/**
 * Rows beyond the edges, so that scrolling shows no gaps. At the top, where people watch new rows come in, each row is new in
 * each update: fewer rows make the update cheaper.
 */
const overscan = 8
const overscanAtTop = 2

/**
 * A list of rows of one height. Rows out of sight are not rendered. New rows at the top do not move the visible ones.
 */
export function WindowedList<Item extends { readonly id: string }>(props: WindowedListProps<Item>): React.ReactElement {
  const { ariaLabel, items, selectedId, onSelect, onEscape, isDivider = never, hasTwoLines, children } = props
  const list = React.useRef<HTMLDivElement>(null)
  const [rowHeight, setRowHeight] = React.useState(28)
  const [view, setView] = React.useState({ top: 0, height: 600 })
  const first = React.useRef<string | undefined>(undefined)
  const focused = React.useRef<string | null>(null)
  const [keys] = React.useState(() => new RowKeys())

  const beyond = view.top === 0 ? overscanAtTop : overscan
  const start = Math.max(0, Math.floor(view.top / rowHeight) - beyond)
  const end = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + beyond)
  const selected = items.findIndex(({ id }) => id === selectedId)

  const measure = React.useCallback((): void => {
    const element = list.current
    if (!element) return
    // Zoomed text makes rows with fractions of a pixel, which add up. A divider can be a pixel lower than a row.
    const height = measureRow(element)
    if (height) setRowHeight(height)
    const next = { top: element.scrollTop, height: element.clientHeight }
    setView((before) => (before.top === next.top && before.height === next.height ? before : next))
  }, [])

  React.useLayoutEffect(() => {
    const element = list.current
    const added = items.findIndex(({ id }) => id === first.current)
    first.current = items[0]?.id
    if (element && added > 0 && element.scrollTop > 0) element.scrollTop += added * rowHeight
    measure()
  }, [items, rowHeight, hasTwoLines, measure])

  React.useEffect(() => {
    if (!list.current || typeof ResizeObserver === 'undefined') return undefined
    const observer = new ResizeObserver(measure)
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [measure])

  // What was open comes back with the view, for example after another tab of the panel.
  const wanted = React.useRef(selectedId)
  React.useLayoutEffect(() => {
    if (wanted.current !== selectedId) wanted.current = null
    if (wanted.current === null) return
    // Rows of zoomed text or of two lines have their height only after the next rendering.
    const height = list.current && measureRow(list.current)
    if (height && Math.abs(height - rowHeight) > 0.01) return
    // A search in bodies finds the row later.
    if (selected === -1) return
    reveal(selected)
    wanted.current = null
  })

  // The details had the focus, and were closed.
  const selectedBefore = React.useRef(selectedId)
  React.useLayoutEffect(() => {
    const isFocusLost = selectedId === null && document.activeElement === document.body
    if (isFocusLost && selectedBefore.current !== null) {
      // In a narrow panel, the toolbars come back, and the list becomes lower.
      reveal(items.findIndex(({ id }) => id === selectedBefore.current))
      focusRow(selectedBefore.current)
    }
    selectedBefore.current = selectedId
  }, [selectedId])

  // The row that gets the focus may have been out of sight until this rendering.
  React.useLayoutEffect(() => {
    if (focused.current !== null && focusRow(focused.current)) focused.current = null
  })

  /** @returns whether the row is rendered */
  function focusRow(id: string): boolean {
    const option = list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
    option?.focus({ preventScroll: true })
    return option != null
  }

  function reveal(index: number): void {
    const element = list.current
    if (!element) return
    const top = index * rowHeight
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight - element.clientHeight
    }
    measure()
  }

  function onKeyDown(event: React.KeyboardEvent): void {
    if (event.key === 'Escape') {
      onEscape()
      return
    }
    const id = (event.target as HTMLElement).dataset['id']
    const index = items.findIndex((item) => item.id === id)
    const current = items[index]
    if (!current) return
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    const isChoice = event.key === 'Enter' || event.key === ' '
    let target = isChoice ? index : nextIndex(event.key, index, items.length, page)
    // The keyboard skips dividers in the direction of the key, or in the other direction at the end of the list.
    const step = target > index ? 1 : -1
    if (target !== -1) target = skipDividers(target, step) ?? skipDividers(target, -step) ?? index
    const next = items[target]
    if (!next) return
    event.preventDefault()
    focused.current = next.id
    onSelect(next)
    reveal(target)
  }

  function skipDividers(from: number, step: number): number | undefined {
    for (let index = from; index >= 0 && index < items.length; index += step) {
      const item = items[index]
      if (item && !isDivider(item)) return index
    }
    return undefined
  }

  // The only tab stop is the selected row if it is rendered, otherwise the first visible row.
  const topmost = Math.min(Math.ceil(view.top / rowHeight), items.length - 1)
  const inSight = skipDividers(topmost, 1) ?? topmost
  const stop = selected >= start && selected < end ? selected : inSight
  const shown = items.slice(start, end)
  const shownKeys = keys.assign(
    shown.map(({ id }) => id),
    // The focus stays on its row while another window is in front, without an event at its return.
    (list.current?.getRootNode() as Partial<ShadowRoot> | undefined)?.activeElement?.getAttribute('data-id') ?? null,
  )
  return (
    <div
      ref={list}
      className="us-scroll us-window"
      data-two-lines={hasTwoLines || undefined}
      role="listbox"
      aria-label={ariaLabel}
      onScroll={measure}
      onKeyDown={onKeyDown}
    >
      <div
        role="none"
        style={{ height: items.length * rowHeight, paddingTop: start * rowHeight, boxSizing: 'border-box' }}
      >
        {shown.map((item, offset) => (
          <div
            key={shownKeys[offset]}
            role="option"
            className="us-option"
            data-id={item.id}
            aria-selected={item.id === selectedId}
            aria-setsize={items.length}
            aria-posinset={start + offset + 1}
            {...(isDivider(item)
              ? { 'aria-disabled': true }
              : {
                  tabIndex: start + offset === stop ? 0 : -1,
                  // When the pointer is released, the row may show another request.
                  onMouseDown: ({ button }: React.MouseEvent) => button === 0 && onSelect(item),
                  // Without a pointer, for example by a screen reader, there is only a click.
                  onClick: ({ detail }: React.MouseEvent) => detail === 0 && onSelect(item),
                })}
          >
            {children(item)}
          </div>
        ))}
      </div>
    </div>
  )
}

function measureRow(list: HTMLElement): number | undefined {
  return list.querySelector('[role=option]:not([aria-disabled])')?.getBoundingClientRect().height
}

const never = (): boolean => false
