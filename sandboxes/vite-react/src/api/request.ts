/** Problem details (RFC 9457). `errors` has a message for each invalid form field. */
export interface Problem {
  title: string
  status: number
  detail?: string
  errors?: Record<string, string>
}

/** The error of a response whose status is not a success. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title)
    this.problem = problem
  }
}

/**
 * Sends a request and reads the JSON of its response.
 * @throws {ProblemError} if the status is not a success
 * @throws {TypeError} if there is no response
 */
export async function requestJson<Data>(path: string, init?: RequestInit): Promise<Data> {
  const response = await fetch(path, init)
  if (!response.ok) throw new ProblemError(await readProblem(response))
  return (await response.json()) as Data
}

export function jsonBody(method: 'POST' | 'PUT', value: unknown): RequestInit {
  return { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) }
}

async function readProblem(response: Response): Promise<Problem> {
  const isJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '')
  if (isJson) return (await response.json()) as Problem
  return {
    title: response.statusText || 'The box office did not answer as it should',
    status: response.status,
  }
}
