import { html, LitElement, type TemplateResult } from 'lit'

interface Boat {
  readonly id: string
  readonly name: string
}

/** A list of boats, from the API. */
class BoatList extends LitElement {
  static override properties = { boats: { state: true }, failure: { state: true } }

  declare boats: readonly Boat[] | undefined
  declare failure: string

  constructor() {
    super()
    this.failure = ''
  }

  override createRenderRoot(): HTMLElement {
    return this
  }

  override connectedCallback(): void {
    super.connectedCallback()
    void this.load()
  }

  async load(): Promise<void> {
    const response = await fetch('/api/boats')
    if (response.ok) this.boats = (await response.json()) as Boat[]
    else this.failure = ((await response.json()) as { message: string }).message
  }

  override render(): TemplateResult {
    if (this.failure) return html`<p role="alert">${this.failure}</p>`
    if (!this.boats) return html`<p>Loading boats…</p>`
    return html`<ul>
      ${this.boats.map(({ name }) => html`<li>${name}</li>`)}
    </ul>`
  }
}
customElements.define('boat-list', BoatList)
