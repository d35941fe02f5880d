import { bypassMark, mswBypassMark } from './bypass.ts'

/** Returns whether a request was created by {@link bypass}, or was already decided. */
export function isBypassed(headers: Headers): boolean {
  return headers.get('accept')?.includes(bypassMark) ?? false
}

/** Removes the marks of {@link bypass} and of decided requests, which must not reach the server. */
export function removeBypassMark(headers: Headers): void {
  const accept = headers.get('accept')
  if (!accept?.includes(bypassMark)) return
  const rest = accept
    .split(',')
    .map((type) => type.trim())
    .filter((type) => !type.startsWith(bypassMark) && type !== mswBypassMark)
    .join(', ')
  if (rest) headers.set('accept', rest)
  else headers.delete('accept')
}
