import { apiOrigin } from '../../api-origin'

export async function GET(): Promise<Response> {
  return Response.json(await (await fetch(`${apiOrigin}/api/quote?for=node`, { cache: 'no-store' })).json())
}
