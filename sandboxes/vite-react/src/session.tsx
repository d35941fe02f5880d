import { createContext, use, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'

import type { Credentials, Session, User } from './api/session.ts'
import { getSession, signIn, signOut } from './api/session.ts'
import type { RequestState } from './use-request.ts'
import { useRequest } from './use-request.ts'

export interface SessionHandle {
  /** `undefined` until the session has loaded, `null` for a visitor who is not signed in. */
  user: User | null | undefined
  signIn: (credentials: Credentials) => Promise<void>
  signOut: () => Promise<void>
}

const SessionContext = createContext<SessionHandle | null>(null)

export function SessionProvider({ children }: { children: ReactNode }): ReactElement {
  const { state } = useRequest('session', getSession)
  const [changed, setChanged] = useState<User | null>()

  const session: SessionHandle = {
    user: changed === undefined ? toUser(state) : changed,
    signIn: async (credentials) => setChanged((await signIn(credentials)).user),
    signOut: async () => {
      await signOut()
      setChanged(null)
    },
  }
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): SessionHandle {
  const session = use(SessionContext)
  if (!session) throw new Error('Failed to read the session: there is no SessionProvider above this component.')
  return session
}

function toUser(state: RequestState<Session>): User | null | undefined {
  if (state.status === 'loading') return undefined
  // If the session cannot be loaded, treat the user as a visitor, so that the pages stay usable.
  return state.status === 'loaded' ? state.data.user : null
}
