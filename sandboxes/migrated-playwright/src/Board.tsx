import { useInfiniteQuery, useMutation, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'

import { api, type NotePage } from './notes-api'

export function Board() {
  const queryClient = useQueryClient()
  const notes = useInfiniteQuery({
    queryKey: ['notes'],
    queryFn: ({ pageParam, signal }) => api.listNotes(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const add = useMutation({
    mutationFn: api.addNote,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['notes'] }),
  })
  const vote = useMutation({
    mutationFn: api.vote,
    // Shown before the answer comes, and taken back when it is an error.
    async onMutate(id) {
      await queryClient.cancelQueries({ queryKey: ['notes'] })
      const before = queryClient.getQueryData<InfiniteData<NotePage>>(['notes'])
      queryClient.setQueryData<InfiniteData<NotePage>>(
        ['notes'],
        (data) =>
          data && {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              notes: page.notes.map((note) => (note.id === id ? { ...note, votes: note.votes + 1 } : note)),
            })),
          },
      )
      return { before }
    },
    onError: (_error, _id, context) => queryClient.setQueryData(['notes'], context?.before),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['notes'] }),
  })
  const upload = useMutation({ mutationFn: api.upload })
  const [text, setText] = useState('')

  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate(text, { onSuccess: () => setText('') })
  }

  if (notes.isPending) return <p>Loading…</p>
  if (notes.isError) return <p role="alert">{notes.error.message}</p>
  const problem = add.error ?? vote.error
  return (
    <main>
      <ul>
        {notes.data.pages.flatMap((page) =>
          page.notes.map(({ id, text: note, votes }) => (
            <li key={id}>
              {note} ({votes}) <button onClick={() => vote.mutate(id)}>Vote for {note}</button>
            </li>
          )),
        )}
      </ul>
      {notes.hasNextPage && <button onClick={() => void notes.fetchNextPage()}>More</button>}
      <form onSubmit={submit}>
        <input aria-label="Note" value={text} onChange={(event) => setText(event.target.value)} />
        <button>Add</button>
      </form>
      {problem && <p role="alert">{problem.message}</p>}
      <input
        type="file"
        aria-label="Picture"
        onChange={({ target }) => target.files?.[0] && upload.mutate(target.files[0])}
      />
      {upload.data && (
        <output>
          {upload.data.name}: {upload.data.size} bytes
        </output>
      )}
    </main>
  )
}
