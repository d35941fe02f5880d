/**
 * Returns whether a key event is a shortcut, such as `Alt+Shift+U`: modifiers, and one letter, digit or function key.
 * Compares letters and digits by their keys, not by characters, because Option+Shift types other characters on a Mac.
 */
export function isShortcut(event: KeyboardEvent, shortcut: string): boolean {
  const keys = shortcut.split('+')
  const key = keys.pop() ?? ''
  const codes = [key, `Key${key}`, `Digit${key}`]
  return (
    codes.includes(event.code) &&
    event.altKey === keys.includes('Alt') &&
    event.ctrlKey === keys.includes('Ctrl') &&
    event.metaKey === keys.includes('Meta') &&
    event.shiftKey === keys.includes('Shift')
  )
}
