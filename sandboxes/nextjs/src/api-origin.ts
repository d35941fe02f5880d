/** Where the server finds the API. Pages request it by paths of their own origin. */
export const apiOrigin: string = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:4999'
