import { config } from './config.ts'

export interface Alert {
  city: string
  level: string
}

async function ask<Data>(query: string, variables: object): Promise<Data> {
  const response = await fetch(config.alerts, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] }
  if (errors) throw new Error(errors.map(({ message }) => message).join(', '))
  return data
}

export async function listAlerts(level: string): Promise<Alert[]> {
  const query = 'query ListAlerts($level: String!) { alerts(level: $level) { city level } }'
  return (await ask<{ alerts: Alert[] }>(query, { level })).alerts
}

export async function raiseAlert(city: string): Promise<Alert> {
  const query = 'mutation RaiseAlert($input: AlertInput!) { raiseAlert(input: $input) { city level } }'
  return (await ask<{ raiseAlert: Alert }>(query, { input: { city, level: 'storm' } })).raiseAlert
}
