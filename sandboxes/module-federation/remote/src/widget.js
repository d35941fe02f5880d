/** Shows what the API says. */
export async function render(parent) {
  const response = await fetch('/api/remote')
  const { from } = await response.json()
  parent.textContent = from
}
