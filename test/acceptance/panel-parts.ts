/** The CSS selectors of the roles of the panel's elements. */
const roles = {
  button: 'button',
  combobox: 'select',
  listitem: 'li',
  option: '[role=option]',
  switch: '[role=switch]',
  tab: '[role=tab]',
}

/** An expression for the first element of a role, by its accessible name or a part of its text. */
export function part(role: keyof typeof roles, find: { name: string } | { text: string }): string {
  const named = "(each.getAttribute('aria-label') ?? each.textContent.trim())"
  const condition =
    'name' in find
      ? `${named} === ${JSON.stringify(find.name)}`
      : `each.textContent.includes(${JSON.stringify(find.text)})`
  return `[...document.querySelectorAll(${JSON.stringify(roles[role])})].find((each) => ${condition})`
}

/** The places that {@link watchPlaces} found, also those that were shown for one moment only. */
export const seenPlaces = '[...globalThis.seenPlaces ?? []].toSorted()'

/** A script that notes every source position that the panel shows from now on. */
export const watchPlaces = `(() => {
  const seen = (globalThis.seenPlaces = new Set())
  const note = () => {
    for (const { title } of document.querySelectorAll('.us-place')) seen.add(title)
  }
  new MutationObserver(note).observe(document, { childList: true, subtree: true, attributes: true, characterData: true })
})()`

/** An expression for a handler's row. */
export const row = (header: string): string => `${part('switch', { name: header })}?.closest('li')`

/** An expression that chooses an option of a select element by its label. */
export const choosing = (select: string, label: string): string => `(() => {
  const select = ${select}
  select.value = [...select.options].find(({ text }) => text === ${JSON.stringify(label)}).value
  select.dispatchEvent(new Event('change', { bubbles: true }))
})()`

/** An expression that types a text into an element. */
export const typing = (input: string, text: string): string => `(() => {
  const input = ${input}
  input.value = ${JSON.stringify(text)}
  input.dispatchEvent(new Event('input', { bubbles: true }))
})()`
