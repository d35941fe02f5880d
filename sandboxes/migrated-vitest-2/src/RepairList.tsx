import { useEffect, useState, type FormEvent } from 'react'

import { toMessage } from './api/client'
import { addRepair, finishRepair, listRepairs, removeRepair, type Repair } from './api/repairs'

export function RepairList() {
  const [repairs, setRepairs] = useState<Repair[]>()
  const [status, setStatus] = useState<Repair['status'] | ''>('')
  const [error, setError] = useState('')

  useEffect(() => {
    const controller = new AbortController()
    listRepairs(status || undefined, controller.signal).then(setRepairs, (reason: unknown) => {
      if (!controller.signal.aborted) setError(toMessage(reason))
    })
    return () => controller.abort()
  }, [status])

  async function change(work: () => Promise<unknown>) {
    setError('')
    try {
      await work()
      setRepairs(await listRepairs(status || undefined))
    } catch (reason) {
      setError(toMessage(reason))
    }
  }

  function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const bike = String(new FormData(form).get('bike'))
    void change(() => addRepair(bike)).then(() => form.reset())
  }

  if (error && !repairs) return <p role="alert">{error}</p>
  if (!repairs) return <p>Loading…</p>
  return (
    <section>
      <label>
        Show{' '}
        <select value={status} onChange={(event) => setStatus(event.target.value as Repair['status'] | '')}>
          <option value="">all</option>
          <option value="waiting">waiting</option>
          <option value="done">done</option>
        </select>
      </label>
      {error && <p role="alert">{error}</p>}
      <ul>
        {repairs.map(({ id, bike, status: state }) => (
          <li key={id}>
            {bike}: {state}
            <button onClick={() => void change(() => finishRepair(id))}>Finish {bike}</button>
            <button onClick={() => void change(() => removeRepair(id))}>Remove {bike}</button>
          </li>
        ))}
      </ul>
      <form onSubmit={add}>
        <label>
          Bike <input name="bike" />
        </label>
        <button>Add</button>
      </form>
    </section>
  )
}
