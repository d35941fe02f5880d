/** Seats left, by performance. */
export type SeatsLeft = Record<string, number>

const pollInterval = 10_000

/**
 * Asks for the seats left now, and then every ten seconds.
 * A failed round is passed over: the next one brings the numbers up to date.
 * @returns stops the asking
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

  // The first round waits for the current task, so that a watcher stopped at once asks nothing.
  const first = setTimeout(ask)
  const next = setInterval(ask, pollInterval)
  return () => {
    clearTimeout(first)
    clearInterval(next)
    request.abort()
  }
}
