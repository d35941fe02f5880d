import { useEffect, useRef, useState, type SubmitEvent, type ReactElement } from 'react'

/** Talks to the harbour office by WebSocket. */
export function HarbourChat(): ReactElement {
  const [lines, setLines] = useState<string[]>([])
  const [state, setState] = useState('Connecting…')
  const socket = useRef<WebSocket>(null)

  useEffect(() => {
    const opened = new WebSocket('wss://harbour.example/chat')
    socket.current = opened
    opened.addEventListener('open', () => setState('Connected'))
    opened.addEventListener('close', () => setState('The office has hung up.'))
    opened.addEventListener('message', ({ data }) => setLines((before) => [...before, `Office: ${data as string}`]))
    return () => opened.close()
  }, [])

  function send(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('text') as string
    socket.current?.send(text)
    setLines((before) => [...before, `You: ${text}`])
  }

  return (
    <form className="card" onSubmit={send}>
      <h2>Harbour office</h2>
      <p className="notice">{state}</p>
      <ul className="chat">
        {lines.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
      <label className="field">
        Message
        <input name="text" />
      </label>
      <button>Send</button>
    </form>
  )
}
