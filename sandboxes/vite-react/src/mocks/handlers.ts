import { delay, http, HttpResponse, type HandlersState } from '@understudy/engine'

import type { BookingRequest } from '../api/bookings.ts'
import type { Play } from '../api/plays.ts'
import type { Problem } from '../api/request.ts'
import type { Season } from '../api/season.ts'
import type { Credentials, Session } from '../api/session.ts'
import * as boxOffice from './box-office.ts'
import reviews from './fixtures/reviews.json'
import { drawPoster } from './poster.ts'

const sessionCookie = 'ghostlight-session'

export const state = {
  bookings: {
    read: boxOffice.listBookings,
    write: boxOffice.replaceBookings,
    reset: () => boxOffice.replaceBookings([]),
  },
} satisfies HandlersState

export const handlers = [
  http.get('/api/season', () =>
    HttpResponse.json<Season>({
      name: 'Winter season',
      years: '2026–27',
      motto: 'Six plays, ten actors, and someone who knows every part.',
    }),
  ),

  http.get('/api/plays', () => HttpResponse.json(boxOffice.listPlays())),

  http.get<{ id: string }, never, Play | Problem>('/api/plays/:id', ({ params }) =>
    HttpResponse.json(requirePlay(params.id)),
  ),

  http.get(
    '/api/plays/:id/poster.svg',
    ({ params }) =>
      new HttpResponse(drawPoster(requirePlay(params.id)), {
        headers: { 'Content-Type': 'image/svg+xml' },
      }),
  ),

  http.get('/api/plays/:id/seats', ({ params }) => HttpResponse.json(boxOffice.listSeatsLeft(requirePlay(params.id)))),

  http.post<never, BookingRequest>('/api/bookings', async ({ request }) => {
    const booking = await request.json()
    const errors = boxOffice.checkBooking(booking)
    if (Object.keys(errors).length > 0) {
      return problem({ status: 422, title: 'Some of this needs another look', errors })
    }
    return HttpResponse.json(boxOffice.takeBooking(booking), { status: 201 })
  }),

  http.get('/api/session', ({ cookies }) =>
    HttpResponse.json<Session>({ user: boxOffice.findMember(cookies[sessionCookie]) ?? null }),
  ),

  http.post<never, Credentials>('/api/session', async ({ request }) => {
    const { email, password } = await request.json()
    if (!boxOffice.isPassword(email, password)) {
      return problem({
        status: 401,
        title: 'Not signed in',
        detail: 'We know no one by that e-mail and password. Try ada@example.com with “break-a-leg”.',
      })
    }
    return HttpResponse.json<Session>(
      { user: boxOffice.findMember(email) ?? null },
      {
        status: 201,
        headers: {
          'Set-Cookie': `${sessionCookie}=${encodeURIComponent(email)}; Path=/; SameSite=Lax`,
        },
      },
    )
  }),

  http.delete(
    '/api/session',
    () =>
      new HttpResponse(null, {
        status: 204,
        headers: { 'Set-Cookie': `${sessionCookie}=; Path=/; Max-Age=0` },
      }),
  ),

  // Long enough to see the app's loading state.
  http.get('/api/reports/season', async () => {
    await delay(1500)
    return HttpResponse.json(boxOffice.reportSeason())
  }),

  // Fails once, and then succeeds: the last yielded response repeats.
  http.get('/api/reports/reviews', function* () {
    yield problem({
      status: 500,
      title: 'Internal Server Error',
      detail: 'The cuttings book has been mislaid.',
    })
    yield HttpResponse.json(reviews)
  }),

  // The printer is unplugged.
  http.get('/api/printer', () => HttpResponse.error()),
]

/** Answers a request for a play that is not in the season: a thrown response is the response. */
function requirePlay(id: string): Play {
  const play = boxOffice.findPlay(id)
  if (play) return play
  throw problem({
    status: 404,
    title: 'Not Found',
    detail: `There is no play called “${id}” this season.`,
  })
}

function problem(details: Problem): HttpResponse<Problem> {
  return HttpResponse.json(details, {
    status: details.status,
    headers: { 'Content-Type': 'application/problem+json' },
  })
}
