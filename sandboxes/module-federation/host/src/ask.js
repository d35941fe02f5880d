/** Records the response at a path. */
export async function ask(path) {
  const response = await fetch(path)
  const { from } = await response.json()
  const answers = (window.answers ??= {})
  answers[path] = from
  return from
}

window.ask = ask
