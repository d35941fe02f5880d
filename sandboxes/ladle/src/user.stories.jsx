import { useEffect, useState } from 'react'

export function User() {
  const [name, setName] = useState()
  useEffect(() => {
    void fetch('/api/user')
      .then((response) => response.json())
      .then((user) => setName(user.name))
  }, [])
  return <p>{name}</p>
}
