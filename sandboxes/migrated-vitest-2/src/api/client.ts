import axios, { AxiosError } from 'axios'

export const client = axios.create({ baseURL: '/api', timeout: 2000 })

let token: string | undefined

export function signInWith(newToken: string | undefined): void {
  token = newToken
}

client.interceptors.request.use((config) => {
  if (token) config.headers.set('Authorization', `Bearer ${token}`)
  return config
})

/** What the desk shows when a request fails. */
export function toMessage(error: unknown): string {
  if (error instanceof AxiosError) {
    const message = (error.response?.data as { message?: string } | undefined)?.message
    if (message) return message
    if (error.code === 'ECONNABORTED') return 'The shop takes too long to answer.'
    if (error.code === 'ERR_NETWORK') return 'The shop cannot be reached.'
    if (error.response) return `The shop answers ${error.response.status}.`
  }
  return 'Something went wrong.'
}
