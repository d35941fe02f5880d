/** The text in a form's field: empty where the field is, or where no radio button of its group is checked. */
export function readText(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
