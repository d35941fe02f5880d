import { apiOrigin } from '../../api-origin'

export const runtime = 'edge'

export async function GET(): Promise<Response> {
  return Response.json(await (await fetch(`${apiOrigin}/api/quote?for=edge`, { cache: 'no-store' })).json())
}
