import { useState } from 'react'
import type { ReactElement, SubmitEvent } from 'react'

import { describe } from '../components/Failure.tsx'
import { Field } from '../components/Field.tsx'
import { readText } from '../form.ts'
import { navigate } from '../router.tsx'
import { useSession } from '../session.tsx'

import './SignInPage.css'

export function SignInPage(): ReactElement {
  const { user, signIn } = useSession()
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (isSending) return
    const fields = new FormData(event.currentTarget)
    setSending(true)
    setFailure(undefined)
    try {
      await signIn({ email: readText(fields, 'email'), password: readText(fields, 'password') })
      navigate('/')
    } catch (error) {
      setFailure(error)
      setSending(false)
    }
  }

  return (
    <div className="sign-in-page">
      <title>Sign in · The Ghostlight</title>
      <h1>Sign in</h1>
      {user ? (
        <p>You are signed in as {user.name}.</p>
      ) : (
        <form onSubmit={(event) => void submit(event)}>
          <p className="why">Friends of the company book with their name already filled in.</p>
          {failure !== undefined && (
            <p className="notice" role="alert">
              {describe(failure)}
            </p>
          )}
          <Field label="E-mail" name="email" type="email" autoComplete="username" required />
          <Field label="Password" name="password" type="password" autoComplete="current-password" required />
          <button type="submit" className="primary" aria-disabled={isSending}>
            {isSending ? 'Signing in…' : 'Sign in'}
          </button>
        </form>
      )}
    </div>
  )
}
