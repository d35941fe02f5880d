/** The script that shows the panel in the app's page. It is small, because the panel is loaded when it is opened. */
import type { LoggedRequest } from '@understudy/engine/inspect'

import { countProblems, describeProblems } from './count-problems.ts'
import { createElement, createIcon } from './create-element.ts'
import { keepDockState, readDockState, type DockState } from './dock-state.ts'
import { dockStyle } from './dock-style.ts'
import { isShortcut } from './is-shortcut.ts'
import { makeResizable } from './make-resizable.ts'
import { createPanelFrame } from './panel-frame.ts'

/** The options of {@link showDock}. */
export interface DockOptions {
  /** The panel's absolute URL. */
  readonly panel: string
  /** The key that opens and closes the dock, such as `Alt+Shift+U`; `null` for none. */
  readonly shortcut: string | null
  /** Returns the logged requests, the newest first. */
  readonly readRequests: () => readonly LoggedRequest[]
  /** Returns whether requests are recorded. */
  readonly isRecording: () => boolean
  /** Calls a function after each decision about a request, and when a recording starts or ends. */
  readonly onChange: (listener: () => void) => unknown
}

/** The interval at which the badge is updated, in milliseconds. */
const pause = 300

/** Shows a button in the corner of the page that opens the panel. */
export function showDock(options: DockOptions, state: DockState = readDockState()): void {
  const { panel, shortcut, readRequests, isRecording, onChange } = options
  let frame: HTMLIFrameElement | undefined
  let counting: ReturnType<typeof setTimeout> | undefined

  const badge = createElement('span', { class: 'badge', 'aria-hidden': 'true' })
  const toggle = createElement('button', { class: 'toggle', type: 'button', 'aria-label': 'Understudy' })
  toggle.append(createIcon())
  const resizer = createElement('div', {
    class: 'resizer',
    role: 'separator',
    tabindex: '0',
    'aria-label': 'Panel size',
  })
  const side = createElement('button', { class: 'side', type: 'button' })
  const close = createElement('button', { type: 'button', 'aria-label': 'Close Understudy' }, '✕')
  const link = createElement('a', { href: panel, target: '_blank', rel: 'noopener' }, 'Open in a tab')
  const bar = createElement('div', { class: 'bar' }, createElement('span', {}, 'Understudy'), side, link, close)
  const dock = createElement('section', { class: 'dock', 'aria-label': 'Understudy' }, resizer, bar)

  // Use a known name, so that developers recognize the element. Do not add it to the body, because apps may count its
  // children.
  const host = document.createElement('understudy-dock')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(dockStyle)
  root.adoptedStyleSheets = [sheet]
  root.append(toggle, badge, dock)

  function update(change: Partial<typeof state>): void {
    state = { ...state, ...change }
    keepDockState(state)
    render()
  }

  function render(): void {
    const isBottom = state.side === 'bottom'
    dock.hidden = !state.isOpen
    dock.dataset['side'] = state.side
    dock.style.setProperty('--size', `${state.size * 100}%`)
    toggle.hidden = state.isOpen
    resizer.ariaOrientation = isBottom ? 'horizontal' : 'vertical'
    resizer.ariaValueNow = `${Math.round(state.size * 100)}`
    side.textContent = isBottom ? 'Dock to the right' : 'Dock to the bottom'
    if (!state.isOpen || frame) return
    frame = createPanelFrame(panel, onKey)
    dock.append(frame)
  }

  function setOpen(isOpen: boolean): void {
    update({ isOpen })
    if (isOpen) close.focus()
    else toggle.focus()
  }

  function onKey(event: KeyboardEvent): void {
    if (shortcut === null || !host.isConnected || !isShortcut(event, shortcut)) return
    event.preventDefault()
    // A modal dialog makes the dock inert, and an element in full screen covers it.
    if (!state.isOpen && document.querySelector(':modal:not(:root)')) open(panel, 'understudy')
    else setOpen(!state.isOpen)
  }

  function count(): void {
    counting = undefined
    const problems = countProblems(readRequests())
    // A closed dock only hides its panel, so a recording goes on. The style of the button depends on this text.
    const text = describeProblems(problems, isRecording())
    const total = problems.unhandled + problems.errors
    badge.textContent = total > 99 ? '99+' : `${total || ''}`
    toggle.ariaDescription = text
    toggle.title = `Understudy${shortcut === null ? '' : ` (${shortcut})`}${text && ': '}${text}`
  }

  toggle.addEventListener('click', () => setOpen(true))
  close.addEventListener('click', () => setOpen(false))
  side.addEventListener('click', () => update({ side: state.side === 'bottom' ? 'right' : 'bottom' }))
  bar.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') setOpen(false)
  })
  makeResizable(
    resizer,
    () => state,
    (size) => update({ size }),
  )
  addEventListener('keydown', onKey)
  onChange(() => {
    counting ??= setTimeout(count, pause)
  })
  count()

  /**
   * Shows a new dock if the app replaced the document: React does this if it cannot hydrate it, and `document.open()` removes all
   * listeners, too. Waits, because an app that removes the dock at once would never come to an end.
   */
  const observer = new MutationObserver(() =>
    setTimeout(() => {
      if (!document.documentElement || document.querySelector('understudy-dock')) return
      observer.disconnect()
      showDock(options, state)
    }, pause),
  )
  document.documentElement.append(host)
  for (const node of [document, document.documentElement]) observer.observe(node, { childList: true })
  render()
}
