const read = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="understudy-${name}"]`)?.content ?? ''

/** The data that the server has written into the page. */
export const pageFacts = {
  base: read('base'),
  token: read('token'),
  editor: read('editor'),
  server: read('server'),
  save: read('save'),
} as const
