import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { Board } from './Board'
import { api, readNews } from './notes-api'

function News() {
  const [news, setNews] = useState<string[]>([])
  async function read() {
    for await (const piece of readNews(new AbortController().signal)) setNews((all) => [...all, piece])
  }
  return (
    <aside>
      <button onClick={() => void read()}>News</button>
      <p data-testid="news">{news.join('')}</p>
    </aside>
  )
}

export function App() {
  const queryClient = useQueryClient()
  const session = useQuery({ queryKey: ['session'], queryFn: api.whoAmI, retry: false })
  const signIn = useMutation({
    mutationFn: api.signIn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['session'] }),
  })
  if (session.isPending) return <p>One moment…</p>
  if (session.isError) return <button onClick={() => signIn.mutate('Ada')}>Sign in as Ada</button>
  return (
    <>
      <h1>The board of {session.data.name}</h1>
      <Board />
      <News />
    </>
  )
}
