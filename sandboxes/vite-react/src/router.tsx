import { useSyncExternalStore } from 'react'
import type { ComponentProps, MouseEvent, ReactElement } from 'react'

/** The base path of the app, without the last slash; empty for `/`. */
const base = import.meta.env.BASE_URL.startsWith('/') ? import.meta.env.BASE_URL.slice(0, -1) : ''

function subscribe(onChange: () => void): () => void {
  window.addEventListener('popstate', onChange)
  return () => window.removeEventListener('popstate', onChange)
}

function readPath(): string {
  return window.location.pathname.slice(base.length) || '/'
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, readPath)
}

export function navigate(to: string): void {
  window.history.pushState(null, '', base + to)
  window.dispatchEvent(new PopStateEvent('popstate'))
  window.scrollTo(0, 0)
}

export interface LinkProps extends ComponentProps<'a'> {
  to: string
}

export function Link({ to, children, ...props }: LinkProps): ReactElement {
  function onClick(event: MouseEvent<HTMLAnchorElement>): void {
    const wantsNewTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || event.button !== 0 || wantsNewTab) return
    event.preventDefault()
    navigate(to)
  }
  const isCurrent = usePath() === to
  return (
    <a {...props} href={base + to} onClick={onClick} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </a>
  )
}
