import { useState, type SubmitEvent, type ReactElement } from 'react'

import { getSession, signIn } from '../api/harbour.ts'
import { useLoaded } from '../api/use-loaded.ts'

/** Signs the harbour master in, by a session cookie. */
export function SignIn(): ReactElement {
  const [turn, setTurn] = useState(0)
  const [reason, setReason] = useState<string>()
  const session = useLoaded(`/api/session?turn=${turn}`, getSession)

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    setReason(undefined)
    signIn(fields.get('name') as string, fields.get('password') as string).then(
      () => setTurn(turn + 1),
      (error: Error) => setReason(error.message),
    )
  }

  if (session.state !== 'ready') return <p className="card notice">One moment…</p>
  if (session.value.name) return <p className="card">Signed in as {session.value.name}</p>
  return (
    <form className="card" onSubmit={submit}>
      <h2>Sign in</h2>
      <label className="field">
        Name
        <input name="name" autoComplete="username" />
      </label>
      <label className="field">
        Password
        <input name="password" type="password" autoComplete="current-password" />
      </label>
      {reason && (
        <p className="failure" role="alert">
          {reason}
        </p>
      )}
      <button>Sign in</button>
    </form>
  )
}
