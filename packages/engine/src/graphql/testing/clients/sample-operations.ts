import type { Handler } from '../../../core/handlers/request-handler.ts'

/** The endpoint of the clients. It does not exist: handlers answer all its requests. */
export const url = 'https://api.example.com/graphql'

export const query = 'query GetUser($id: ID!) { user(id: $id) { id name } }'

/** The result of {@link query} for the id `1`. */
export const user: { id: string; name: string } = { id: '1', name: 'Ada' }

export const subscription = 'subscription Count($to: Int!) { count(to: $to) }'

/** The results of {@link subscription} up to 2. */
export const counted: readonly { count: number }[] = [{ count: 1 }, { count: 2 }]

/** Adds handlers until the test ends. */
export type Use = (...handlers: Handler[]) => void

/** Waits for the end of a subscription, and returns its results. */
export async function collect(results: {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): unknown
}): Promise<unknown[]> {
  const found: unknown[] = []
  await new Promise<void>((resolve, reject) => {
    results.subscribe({
      next: (value) => void found.push(value),
      error: (error) => reject(error instanceof Error ? error : new Error(JSON.stringify(error))),
      complete: resolve,
    })
  })
  return found
}
