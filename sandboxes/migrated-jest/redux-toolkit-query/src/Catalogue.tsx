import { useState, type FormEvent } from 'react'
import { useSelector } from 'react-redux'

import { useLendBookMutation, useListBooksQuery, useSignInMutation } from './catalogue-api'
import type { RootState } from './store'

function SignIn() {
  const [signIn, { isLoading, error }] = useSignInMutation()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void signIn({ name, password })
  }
  return (
    <form onSubmit={submit}>
      <input aria-label="Name" value={name} onChange={(event) => setName(event.target.value)} />
      <input
        aria-label="Password"
        type="password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <button disabled={isLoading}>Sign in</button>
      {error && 'data' in error && <p role="alert">{(error.data as { message: string }).message}</p>}
    </form>
  )
}

function Books() {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const { data, isLoading, isFetching, error, refetch } = useListBooksQuery({ search, page })
  const [lend] = useLendBookMutation()
  if (isLoading) return <p>Loading…</p>
  if (error) {
    return (
      <p role="alert">
        {'status' in error ? `Failed: ${String(error.status)}` : 'Failed'}
        <button onClick={() => void refetch()}>Try again</button>
      </p>
    )
  }
  return (
    <section aria-busy={isFetching}>
      <input aria-label="Search" value={search} onChange={(event) => setSearch(event.target.value)} />
      <ul>
        {data?.items.map(({ id, title, lentTo }) => (
          <li key={id}>
            {lentTo ? `${title}, lent to ${lentTo}` : title}
            {!lentTo && <button onClick={() => void lend({ id, to: 'Ada' })}>Lend {title}</button>}
          </li>
        ))}
      </ul>
      {data?.next && <button onClick={() => setPage(data.next!)}>Next page</button>}
    </section>
  )
}

export function Catalogue() {
  const token = useSelector(({ session }: RootState) => session.token)
  return token ? <Books /> : <SignIn />
}
