import type { SearchResult } from '@understudy/engine/inspect'
import { expect, test } from 'vitest'

import { LogSearch, type FoundMatches } from './log-search.ts'

const item = (id: string) => ({ id })

function startSearch(isFinal: (id: string) => boolean = () => true) {
  const asked: string[][] = []
  let found: FoundMatches = new Map()
  let isDone = false
  const match = (word: string) => ({ word, place: 'response body', before: '', found: word, after: '' }) as const
  const search = new LogSearch(
    async (ids, words): Promise<SearchResult[]> => {
      asked.push([...ids])
      return ids.map((id) => ({ id, isFinal: isFinal(id), matches: words.map(match) }))
    },
    ['ada'],
    (now, isAll) => {
      found = now
      isDone = isAll
    },
  )
  return { asked, search, found: () => [...found.keys()], isDone: () => isDone }
}

test('a long log is searched in batches', async () => {
  const { asked, search, found, isDone } = startSearch()
  const items = Array.from({ length: 25 }, (_, index) => item(`r${index}`))
  search.update(items)
  await expect.poll(isDone).toBe(true)
  expect(asked.map((ids) => ids.length)).toEqual([10, 10, 5])
  expect(found()).toEqual(items.map(({ id }) => id))
})

test('only new, changed and incomplete items are searched again', async () => {
  const open = new Set(['b'])
  const { asked, search } = startSearch((id) => !open.has(id))
  const [a, b, c] = [item('a'), item('b'), item('c')]
  search.update([a, b, c])
  await expect.poll(() => asked).toEqual([['a', 'b', 'c']])
  search.update([a, b, item('c'), item('d')])
  await expect.poll(() => asked.slice(1)).toEqual([['b', 'c', 'd']])
})

test('a log that changes during the search is searched to its end', async () => {
  const { asked, search, isDone } = startSearch()
  search.update([item('a')])
  search.update([item('b')])
  await expect.poll(isDone).toBe(true)
  expect(asked).toEqual([['a'], ['b']])
})

test('a search that is stopped reports nothing more', async () => {
  const { search, found } = startSearch()
  search.update([item('a')])
  search.stop()
  await new Promise((resolve) => setTimeout(resolve))
  expect(found()).toEqual([])
})
