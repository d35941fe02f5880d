import { connectInspections, toInspectionPort } from '@understudy/engine/inspect'
import { Panel, type PanelTheme } from '@understudy/panel'
import * as React from 'react'
import { createRoot } from 'react-dom/client'

import { compile } from './compile.ts'
import { createEditor } from './editor.ts'
import { examples } from './examples.ts'
import { createForm } from './form.ts'
import type { FromFrame, ToFrame } from './messages.ts'
import { formatState, parseState, type PlaygroundState } from './state.ts'

/** The pause after typing before the handlers run, in milliseconds. */
const pause = 250

/**
 * Mounts the playground in an element.
 *
 * @param frameUrl the URL of the page in which handlers run
 * @returns a function that removes it
 */
export function mountPlayground(root: HTMLElement, frameUrl: string): () => void {
  root.innerHTML = `
    <header class="pg-bar">
      <h1>Playground</h1>
      <label>Example <select class="pg-example"><option value="" hidden>From a link</option></select></label>
      <button type="button" class="pg-copy">Copy link</button>
      <span class="pg-status" role="status">Starting…</span>
    </header>
    <section class="pg-handlers" aria-label="Handlers">
      <h2>handlers.ts</h2>
      <div class="pg-editor"></div>
      <pre class="pg-error" role="alert" hidden></pre>
    </section>
    <section class="pg-requests" aria-label="Request"></section>
    <section class="pg-panel" aria-label="Panel"></section>`
  const get = <Found extends HTMLElement>(name: string): Found => root.querySelector(`.pg-${name}`) as Found
  const status = get('status')
  const errorText = get('error')
  const exampleChoice = get<HTMLSelectElement>('example')
  for (const name of Object.keys(examples)) exampleChoice.add(new Option(name))

  const first = Object.entries(examples)[0] as [string, PlaygroundState]
  const linked = parseState(location.hash.slice(1))
  exampleChoice.value = linked ? '' : first[0]
  let state = linked ?? first[1]

  const control = new MessageChannel()
  const inspection = new MessageChannel()
  const tell = (message: ToFrame): void => control.port1.postMessage(message)
  const form = createForm(get('requests'), state.request, tell, (request) => change({ ...state, request }))
  const editor = createEditor(get('editor'), state.code, (code) => {
    change({ ...state, code })
    clearTimeout(timer)
    timer = setTimeout(run, pause)
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastRun = 0

  function change(next: PlaygroundState): void {
    state = next
    history.replaceState(history.state, '', `#${formatState(state)}`)
  }

  function show(next: PlaygroundState): void {
    state = next
    editor.write(next.code)
    form.write(next.request)
    clearTimeout(timer)
    run()
  }

  function fail(message: string, line: number | null): void {
    errorText.textContent = line === null ? message : `Line ${line}: ${message}`
    errorText.hidden = false
    editor.mark(message, line)
    status.textContent = 'The handlers have an error. The previous handlers still answer.'
    status.dataset['tone'] = 'error'
  }

  function run(): void {
    lastRun += 1
    const result = compile(editor.read())
    if ('code' in result) tell({ type: 'run', run: lastRun, code: result.code })
    else fail(result.message, result.line)
  }

  control.port1.addEventListener('message', ({ data }: MessageEvent<FromFrame>) => {
    if (data.type === 'ran' && data.run === lastRun) {
      errorText.hidden = true
      editor.mark()
      status.textContent = `Mocking is on. Handlers: ${data.handlers}.`
      status.dataset['tone'] = 'ok'
    } else if (data.type === 'failed' && data.run === lastRun) fail(data.message, data.line)
    else form.receive(data)
  })
  control.port1.start()

  const frame = document.createElement('iframe')
  frame.title = 'The page that the handlers mock'
  frame.hidden = true
  // A link may contain another person's code, so the frame gets an opaque origin.
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.src = frameUrl
  frame.addEventListener(
    'load',
    () => {
      frame.contentWindow?.postMessage(null, '*', [control.port2, inspection.port2])
      run()
    },
    { once: true },
  )
  root.append(frame)

  exampleChoice.addEventListener('change', () => {
    const example = examples[exampleChoice.value]
    if (!example) return
    show(example)
    change(example)
  })
  get('copy').addEventListener('click', () => {
    change(state)
    void copyLink(get('copy'))
  })
  const onHashChange = (): void => {
    const next = parseState(location.hash.slice(1))
    if (!next) return
    exampleChoice.value = ''
    show(next)
  }
  addEventListener('hashchange', onHashChange)
  const unmountPanel = mountPanel(get('panel'), inspection.port1)
  return () => {
    removeEventListener('hashchange', onHashChange)
    clearTimeout(timer)
    unmountPanel()
    control.port1.close()
    root.replaceChildren()
  }
}

async function copyLink(button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Copy the address of this page'
  }
  setTimeout(() => (button.textContent = 'Copy link'), 2000)
}

/** Renders the panel for the network of the frame, and again when the site changes between light and dark. */
function mountPanel(element: HTMLElement, port: MessagePort): () => void {
  const connection = connectInspections(toInspectionPort(port))
  const root = createRoot(element)
  const render = (): void => {
    const [host] = connection.getNetworks()
    const isDark = document.documentElement.classList.contains('dark')
    root.render(host ? React.createElement(Panel, { host, theme: isDark ? darkTheme : lightTheme }) : null)
  }
  const endConnection = connection.subscribe(render)
  const observer = new MutationObserver(render)
  observer.observe(document.documentElement, { attributeFilter: ['class'] })
  render()
  return () => {
    observer.disconnect()
    endConnection()
    connection.close()
    root.unmount()
    port.close()
  }
}

const siteColors = {
  background: 'var(--vp-c-bg)',
  surface: 'var(--vp-c-bg-soft)',
  border: 'var(--vp-c-divider)',
  text: 'var(--vp-c-text-1)',
  muted: 'var(--vp-c-text-2)',
  accent: 'var(--vp-c-brand-1)',
} satisfies Partial<PanelTheme>

const lightTheme: Partial<PanelTheme> = {
  ...siteColors,
  colorScheme: 'light',
  positive: '#14713c',
  warning: '#875200',
  negative: '#b8272d',
}
const darkTheme: Partial<PanelTheme> = {
  ...siteColors,
  colorScheme: 'dark',
  positive: '#62c98d',
  warning: '#e3b04e',
  negative: '#ff8a8a',
}
