/** Words in the names of secrets, as a part of a regular expression. */
export const secretWords =
  'authori[sz]ation|cookie|token|secret|passw(?:or)?d|passphrase|api[-_]?key|access[-_]?key|private[-_]?key|session[-_]?(?:id|key)|credential|jwt|csrf|xsrf'
const secretName = new RegExp(`${secretWords}|^sid$|^pin$|^otp$`, 'i')

/** Returns whether values with this name are secrets: `Authorization`, `access_token`. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}
