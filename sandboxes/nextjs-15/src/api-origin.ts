/** The origin of the API for the server. Pages request it by relative paths. */
export const apiOrigin: string = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:4999'
