import type { FromFrame, PlaygroundRequest, ToFrame } from './messages.ts'

/** The form that makes requests and shows the responses. */
export interface RequestForm {
  write(request: PlaygroundRequest): void
  receive(message: FromFrame): void
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']

/** The label of the body by the kind of request. Event streams and GET requests have no body. */
const bodyNames: Readonly<Record<PlaygroundRequest['kind'], string>> = {
  fetch: 'Body',
  xhr: 'Body',
  graphql: 'Query',
  'event-source': '',
  websocket: 'Message',
}

/** @param onChange called with the request after each edit */
export function createForm(
  root: HTMLElement,
  request: PlaygroundRequest,
  tell: (message: ToFrame) => void,
  onChange: (request: PlaygroundRequest) => void,
): RequestForm {
  root.innerHTML = `
    <form>
      <div class="pg-request">
        <select name="kind" aria-label="Send with">
          <option value="fetch">fetch</option>
          <option value="xhr">XMLHttpRequest</option>
          <option value="graphql">GraphQL</option>
          <option value="event-source">EventSource</option>
          <option value="websocket">WebSocket</option>
        </select>
        <select name="method" aria-label="Method">${methods.map((name) => `<option>${name}</option>`).join('')}</select>
        <input name="url" aria-label="URL" spellcheck="false" autocomplete="off" required />
        <button class="pg-send">Send</button>
        <button type="button" class="pg-close" hidden>Close</button>
      </div>
      <label class="pg-body"><span></span><textarea name="body" rows="2" spellcheck="false"></textarea></label>
    </form>
    <div class="pg-answer" aria-live="polite"></div>`
  const form = root.querySelector('form') as HTMLFormElement
  const [kind, method] = form.querySelectorAll('select') as unknown as [HTMLSelectElement, HTMLSelectElement]
  const url = form.querySelector('input') as HTMLInputElement
  const body = form.querySelector('textarea') as HTMLTextAreaElement
  const sendButton = root.querySelector('.pg-send') as HTMLButtonElement
  const closeButton = root.querySelector('.pg-close') as HTMLButtonElement
  const answer = root.querySelector('.pg-answer') as HTMLElement
  let lastId = 0
  /** Whether the last request is an open WebSocket. */
  let isConnected = false
  let isPending = false

  const read = (): PlaygroundRequest => ({
    kind: kind.value as PlaygroundRequest['kind'],
    method: method.value,
    url: url.value,
    body: body.value,
  })

  function update(): void {
    const { kind: chosen } = read()
    const hasMethod = chosen === 'fetch' || chosen === 'xhr'
    const isBodiless = hasMethod && ['GET', 'HEAD'].includes(method.value)
    const bodyName = isBodiless ? '' : bodyNames[chosen]
    method.hidden = !hasMethod
    const label = form.querySelector('.pg-body') as HTMLElement
    label.hidden = bodyName === ''
    label.firstElementChild?.replaceChildren(bodyName)
    closeButton.hidden = !isPending
    sendButton.textContent = isConnected
      ? 'Send message'
      : chosen === 'websocket' || chosen === 'event-source'
        ? 'Open'
        : 'Send'
  }

  function write(next: PlaygroundRequest): void {
    stop()
    answer.replaceChildren()
    kind.value = next.kind
    method.value = methods.includes(next.method) ? next.method : 'GET'
    url.value = next.url
    body.value = next.body
    update()
  }

  function stop(): void {
    if (isPending) tell({ type: 'close', id: lastId })
    isPending = false
    isConnected = false
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isConnected) {
      tell({ type: 'say', id: lastId, text: body.value })
      return
    }
    stop()
    lastId += 1
    answer.replaceChildren()
    isPending = true
    tell({ type: 'send', id: lastId, request: read() })
    update()
  })
  form.addEventListener('input', (event) => {
    if (event.target === kind) stop()
    update()
    onChange(read())
  })
  closeButton.addEventListener('click', () => tell({ type: 'close', id: lastId }))

  function receive(message: FromFrame): void {
    if (!('id' in message) || message.id !== lastId) return
    switch (message.type) {
      case 'open':
        isConnected = true
        break
      case 'end':
        isConnected = false
        isPending = false
        break
      case 'line': {
        const last = answer.lastElementChild as HTMLElement | null
        // Show the parts of a body without line breaks between them.
        if (message.tone === 'body' && last?.dataset['tone'] === 'body') last.append(message.text)
        else {
          const line = document.createElement('pre')
          line.dataset['tone'] = message.tone
          line.textContent = message.text
          answer.append(line)
        }
        answer.scrollTop = answer.scrollHeight
      }
    }
    update()
  }

  write(request)
  return { write, receive }
}
