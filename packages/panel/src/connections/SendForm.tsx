import * as React from 'react'

import { usePanel } from '../panel-context.ts'

interface SendFormProps {
  /** The id of a WebSocket connection, or of the request of an event stream. */
  id: string
  what: 'message' | 'event'
}

/** A field to send a message or an event to the app, as if the server had sent it. */
export function SendForm({ id, what }: SendFormProps): React.ReactElement | null {
  const { host, kit, announce, fail } = usePanel()
  const [text, setText] = React.useState('')
  const [type, setType] = React.useState('')
  if (!host.send) return null
  function send(): void {
    host.send?.(id, text, type.trim()).then(() => {
      announce(`Sent the ${what} to the app`)
      setText('')
    }, fail)
  }
  const label = what === 'message' ? 'Message to the app' : 'Data of the event'
  return (
    <form
      className="us-send"
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        // Browsers do not submit a form with two fields and without a submit button.
        // Enter also confirms the text of an input method.
        const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing
        if (!isEnter || !(event.target instanceof HTMLInputElement)) return
        event.preventDefault()
        send()
      }}
    >
      {what === 'event' && (
        <span className="us-send-type">
          <kit.TextField ariaLabel="Type of the event" placeholder="Type: message" value={type} onChange={setType} />
        </span>
      )}
      <kit.TextField ariaLabel={label} placeholder={label} value={text} onChange={setText} />
      <kit.Button onClick={send}>Send</kit.Button>
    </form>
  )
}
