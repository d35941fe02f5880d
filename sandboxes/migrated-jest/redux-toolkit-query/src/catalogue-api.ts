import {
  createApi,
  fetchBaseQuery,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryError,
} from '@reduxjs/toolkit/query/react'

import { signedOut, tokenReceived } from './session'
import type { RootState } from './store'

export interface Book {
  id: number
  title: string
  lentTo: string | null
}

export interface Page<Item> {
  items: Item[]
  next: number | null
}

const plainQuery = fetchBaseQuery({
  baseUrl: 'https://library.example.com/api/',
  credentials: 'include',
  prepareHeaders(headers, { getState }) {
    const { token } = (getState() as RootState).session
    if (token) headers.set('authorization', `Bearer ${token}`)
    return headers
  },
})

/** Asks for a new token when the old one has expired, and asks again. */
const query: BaseQueryFn<string | FetchArgs, unknown, FetchBaseQueryError> = async (args, api, options) => {
  const result = await plainQuery(args, api, options)
  if (result.error?.status !== 401 || (api.getState() as RootState).session.token === null) return result
  const refreshed = await plainQuery({ url: 'session/refresh', method: 'POST' }, api, options)
  if (refreshed.error) {
    api.dispatch(signedOut())
    return result
  }
  api.dispatch(tokenReceived((refreshed.data as { token: string }).token))
  return plainQuery(args, api, options)
}

export const catalogueApi = createApi({
  reducerPath: 'catalogue',
  baseQuery: query,
  tagTypes: ['Book'],
  endpoints: (build) => ({
    signIn: build.mutation<{ token: string }, { name: string; password: string }>({
      query: (body) => ({ url: 'session', method: 'POST', body }),
      async onQueryStarted(_credentials, { dispatch, queryFulfilled }) {
        const result = await queryFulfilled.catch(() => undefined)
        if (result) dispatch(tokenReceived(result.data.token))
      },
    }),
    listBooks: build.query<Page<Book>, { search: string; page: number }>({
      query: (params) => ({ url: 'books', params }),
      providesTags: ['Book'],
    }),
    lendBook: build.mutation<Book, { id: number; to: string }>({
      query: ({ id, to }) => ({ url: `books/${id}/loan`, method: 'PUT', body: { to } }),
      invalidatesTags: ['Book'],
    }),
    uploadCover: build.mutation<{ bytes: number; type: string }, { id: number; cover: Blob }>({
      query: ({ id, cover }) => ({
        url: `books/${id}/cover`,
        method: 'PUT',
        body: cover,
        headers: { 'content-type': cover.type },
      }),
    }),
    readBlurb: build.query<string, number>({
      query: (id) => ({ url: `books/${id}/blurb`, responseHandler: 'text' }),
    }),
  }),
})

export const { useSignInMutation, useListBooksQuery, useLendBookMutation } = catalogueApi
