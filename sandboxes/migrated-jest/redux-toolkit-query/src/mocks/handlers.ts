import { http, HttpResponse, type DefaultBodyType, type PathParams, type StrictRequest } from 'msw'

import type { Book, Page } from '../catalogue-api'

const api = (path: string) => new URL(path, 'https://library.example.com/api/').href
const pageSize = 2

let books: Book[] = []

export function resetBooks(): void {
  books = ['Middlemarch', 'Emma', 'Dracula'].map((title, index) => ({ id: index + 1, title, lentTo: null }))
}
resetBooks()

function isSignedIn(request: StrictRequest<DefaultBodyType>): boolean {
  return request.headers.get('authorization') === 'Bearer first'
}

export const handlers = [
  http.post<PathParams, { name: string; password: string }>(api('session'), async ({ request }) => {
    const { password } = await request.json()
    if (password !== 'quiet') return HttpResponse.json({ message: 'Wrong password.' }, { status: 401 })
    return HttpResponse.json({ token: 'first' }, { status: 201 })
  }),

  http.get(api('books'), ({ request }) => {
    if (!isSignedIn(request)) return new HttpResponse(null, { status: 401 })
    const { searchParams } = new URL(request.url)
    const search = searchParams.get('search') ?? ''
    const page = Number(searchParams.get('page') ?? 1)
    const found = books.filter(({ title }) => title.toLowerCase().includes(search.toLowerCase()))
    const items = found.slice((page - 1) * pageSize, page * pageSize)
    return HttpResponse.json<Page<Book>>({ items, next: found.length > page * pageSize ? page + 1 : null })
  }),

  http.put<{ id: string }, { to: string }, Book | undefined>(api('books/:id/loan'), async ({ params, request }) => {
    const { to } = await request.json()
    const book = books.find(({ id }) => id === Number(params.id))
    if (!book) return new HttpResponse(null, { status: 404 })
    const lent = { ...book, lentTo: to }
    books = books.map((each) => (each === book ? lent : each))
    return HttpResponse.json(lent)
  }),

  http.put(api('books/:id/cover'), async ({ request }) => {
    const { byteLength: bytes } = await request.arrayBuffer()
    return HttpResponse.json({ bytes, type: request.headers.get('content-type') })
  }),

  http.get(api('books/:id/blurb'), ({ params }) => HttpResponse.text(`The blurb of ${String(params.id)}`)),
]
