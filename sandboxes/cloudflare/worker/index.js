export default {
  /** Requests the title from the API, in Cloudflare's runtime. */
  async fetch(_request, env) {
    const { from } = await (await fetch(`${env.API}/api/title`)).json()
    return Response.json({ text: from })
  },
}
