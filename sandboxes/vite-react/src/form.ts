/** Returns the text of a form's field; empty if the field is empty, or no radio button of its group is checked. */
export function readText(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
