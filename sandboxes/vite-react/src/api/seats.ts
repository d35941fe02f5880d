/** The free seats, by performance. */
export type SeatsLeft = Record<string, number>

const pollInterval = 10_000

/**
 * Requests the free seats now, and then every ten seconds. Ignores failures, because the next request updates the numbers.
 * @returns a function that stops the requests
 */
export function watchSeats(playId: string, onSeats: (seats: SeatsLeft) => void): () => void {
  const request = new XMLHttpRequest()
  request.responseType = 'json'
  request.addEventListener('load', () => {
    if (request.status === 200) onSeats(request.response as SeatsLeft)
  })

  function ask(): void {
    request.open('GET', `/api/plays/${encodeURIComponent(playId)}/seats`)
    request.send()
  }

  // Start after the current task, so that a caller that stops immediately sends no request.
  const first = setTimeout(ask)
  const next = setInterval(ask, pollInterval)
  return () => {
    clearTimeout(first)
    clearInterval(next)
    request.abort()
  }
}
