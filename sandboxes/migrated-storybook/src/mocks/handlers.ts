import { delay, graphql, http, HttpResponse } from 'msw'

import type { Tea } from '../tea-api'

const teas: Tea[] = [
  { id: 1, name: 'Assam', grams: 500 },
  { id: 2, name: 'Sencha', grams: 40 },
]

/** In groups, which stories replace one by one. */
export const handlers = {
  customer: [http.get('/api/customer', () => HttpResponse.json({ name: 'Ada', points: 12 }))],
  teas: [
    http.get('/api/teas', async () => {
      await delay(20)
      return HttpResponse.json(teas)
    }),
    http.post<never, { id: number; grams: number }>('/api/orders', async ({ request }) => {
      const { id, grams } = await request.json()
      const tea = teas.find((each) => each.id === id)!
      if (tea.grams < grams) return HttpResponse.text('There is too little of it.', { status: 409 })
      return HttpResponse.json({ ...tea, grams })
    }),
  ],
  notes: [
    graphql.query<{ notes: string[] }, { tea: string }>('Notes', ({ variables }) =>
      HttpResponse.json({ data: { notes: [variables.tea === 'Assam' ? 'malty' : 'grassy', 'fresh'] } }),
    ),
  ],
}
