import { useState } from 'react'

import type { User } from './api/repairs'
import { Login } from './Login'
import { RepairList } from './RepairList'

export function App() {
  const [user, setUser] = useState<User>()
  if (!user) return <Login onSignIn={setUser} />
  return (
    <main>
      <h1>Hello, {user.name}</h1>
      <RepairList />
    </main>
  )
}
