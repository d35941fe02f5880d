import { readCustomer } from './tea-api'
import { useLoaded } from './use-loaded'

export function Customer() {
  const customer = useLoaded(readCustomer)
  if (customer.state === 'loading') return <p>Who is it?</p>
  if (customer.state === 'failed') return <p role="alert">A guest</p>
  return (
    <p data-testid="customer">
      {customer.value.name}, {customer.value.points} points
    </p>
  )
}
