import { formatCallSite } from '../../core/call-site.ts'
import { print } from '../../core/failure.ts'
import type { Decision } from '../../core/network/outcome.ts'

/** Prints a request that a handler answered on one line, with details in a folded group. */
export function printDecision({ request, name, outcome, entry, duration }: Decision): void {
  if (!entry || (outcome.type !== 'mocked' && outcome.type !== 'network-error')) return
  const url = new URL(request.url)
  const shown = (url.origin === location.origin ? '' : url.origin) + url.pathname + url.search
  const response = outcome.type === 'mocked' ? outcome.response : undefined
  const result = response ? `${response.status} ${response.statusText}` : 'network error'
  const { callSite, header } = entry.handler.info
  print.group(
    [
      `${name === undefined ? '' : `${name}: `}${request.method} ${shown} %c${result.trim()}%c ${formatDuration(duration)}`,
      `color: ${colorOf(response)}`,
      '',
    ],
    [
      ['Request', request],
      ['Handler', header, callSite ? formatCallSite(callSite) : ''],
      ['Response', response ?? outcome],
    ],
  )
}

function colorOf(response: Response | undefined): string {
  if (!response || response.status >= 400) return '#d6455d'
  return response.status < 300 ? '#2e9e5b' : '#b58900'
}

function formatDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
