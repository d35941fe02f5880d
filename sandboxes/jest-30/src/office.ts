export interface Found {
  id: number
  what: string
}

/** The found items. */
export async function listFound(signal?: AbortSignal): Promise<Found[]> {
  const response = await fetch('/api/found', { signal })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return response.json()
}

/** Shows a form, and the response to it. */
export function showClaimForm(parent: HTMLElement): void {
  parent.innerHTML = '<form><input name="name" /><button>Claim</button><output></output></form>'
  const form = parent.querySelector('form')!
  async function claim(): Promise<void> {
    const response = await fetch('/api/claims', { method: 'POST', body: new FormData(form) })
    form.querySelector('output')!.textContent = (await response.json()).message
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void claim()
  })
}
