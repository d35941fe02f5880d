export interface Note {
  id: number
  text: string
  votes: number
}

export interface NotePage {
  notes: Note[]
  nextCursor: number | null
}

async function request<Result>(path: string, init?: RequestInit): Promise<Result> {
  const response = await fetch(path, init)
  if (!response.ok) {
    const { message } = (await response.json().catch(() => ({ message: response.statusText }))) as { message: string }
    throw new Error(message)
  }
  return (await response.json()) as Result
}

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

export const api = {
  signIn: (name: string) => request<{ name: string }>('/api/session', json({ name })),
  whoAmI: () => request<{ name: string }>('/api/session'),
  listNotes: (cursor: number, signal: AbortSignal) => request<NotePage>(`/api/notes?cursor=${cursor}`, { signal }),
  addNote: (text: string) => request<Note>('/api/notes', json({ text })),
  vote: (id: number) => request<Note>(`/api/notes/${id}/votes`, { method: 'POST' }),
  upload(file: File) {
    const body = new FormData()
    body.set('picture', file)
    return request<{ name: string; size: number }>('/api/pictures', { method: 'POST', body })
  },
}

/** Reads news as they arrive. */
export async function* readNews(signal: AbortSignal): AsyncGenerator<string> {
  const { body } = await fetch('/api/news', { signal })
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
