import { useState, type FormEvent } from 'react'

import { toMessage } from './api/client'
import { signIn, type User } from './api/repairs'

export function Login({ onSignIn }: { onSignIn: (user: User) => void }) {
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setError('')
    try {
      onSignIn(await signIn(String(form.get('email')), String(form.get('password'))))
    } catch (reason) {
      setError(toMessage(reason))
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        Email <input name="email" />
      </label>
      <label>
        Password <input name="password" type="password" />
      </label>
      <button disabled={isBusy}>Sign in</button>
      {error && <p role="alert">{error}</p>}
    </form>
  )
}
