'use client'

import { useEffect, useState } from 'react'

/** Shows the first message that each web worker gets on its WebSocket. */
export function Messages() {
  const [messages, setMessages] = useState<readonly string[]>([])

  useEffect(() => {
    const add = ({ data }: MessageEvent<string>): void => setMessages((known) => [...known, data])
    const workers = [
      new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'module' }),
      new Worker(new URL('./classic.ts', import.meta.url), { name: 'classic' }),
      new Worker(new URL('./nested.ts', import.meta.url)),
    ]
    for (const worker of workers) worker.addEventListener('message', add)
    const { port } = new SharedWorker(new URL('./shared.ts', import.meta.url))
    port.addEventListener('message', add)
    port.start()
    return () => {
      for (const worker of workers) worker.terminate()
      port.close()
    }
  }, [])

  return (
    <ul>
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  )
}
