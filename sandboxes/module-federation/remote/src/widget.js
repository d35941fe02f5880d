/** Shows the response of the API. */
export async function render(parent) {
  const response = await fetch('/api/remote')
  const { from } = await response.json()
  parent.textContent = from
}
