import { jsonBody, ProblemError, requestJson } from './request.ts'

export interface User {
  name: string
  email: string
}

export interface Session {
  /** `null` before signing in. */
  user: User | null
}

export interface Credentials {
  email: string
  password: string
}

export function getSession(signal: AbortSignal): Promise<Session> {
  return requestJson('/api/session', { signal })
}

export function signIn(credentials: Credentials): Promise<Session> {
  return requestJson('/api/session', jsonBody('POST', credentials))
}

export async function signOut(): Promise<void> {
  const response = await fetch('/api/session', { method: 'DELETE' })
  if (!response.ok) throw new ProblemError({ title: 'Signing out did not work', status: response.status })
}
