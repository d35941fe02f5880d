import { requestJson } from './request.ts'

export interface Printer {
  paper: 'full' | 'low' | 'empty'
  queued: number
}

export function getPrinter(signal: AbortSignal): Promise<Printer> {
  return requestJson('/api/printer', { signal })
}
