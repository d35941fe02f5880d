import { useState } from 'react'

import { Customer } from './Customer'
import { listTeas, orderTea } from './tea-api'
import { useLoaded } from './use-loaded'

export function Counter() {
  const teas = useLoaded(listTeas)
  const [message, setMessage] = useState('')
  if (teas.state === 'loading') return <p>The kettle is on…</p>
  if (teas.state === 'failed') return <p role="alert">{teas.reason}</p>

  async function order(id: number) {
    try {
      const { name, grams } = await orderTea(id, 50)
      setMessage(`${grams} g of ${name}`)
    } catch (error) {
      setMessage((error as Error).message)
    }
  }
  return (
    <section>
      <Customer />
      <ul>
        {teas.value.map(({ id, name, grams }) => (
          <li key={id}>
            {name}: {grams} g <button onClick={() => void order(id)}>Order {name}</button>
          </li>
        ))}
      </ul>
      {message && <output>{message}</output>}
    </section>
  )
}
