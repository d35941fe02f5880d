/** The package has no types. */
declare module 'minipass-fetch' {
  export default function fetch(url: string, init: RequestInit): Promise<Response>
}
