import { isSecretName, secretWords } from '../log/secret-names.ts'

/** A value of JSON that may be written into a source file, with its changes. */
export interface RedactedValue {
  readonly value: unknown
  /** Paths of redacted values, such as `users[].email`. */
  readonly redacted: readonly string[]
  /** Paths of shortened lists, with their lengths. */
  readonly shortened: readonly (readonly [path: string, length: number])[]
}

/** Longer lists are shortened to this length. */
export const listLimit = 3

/** A name in a text. Its length is limited, so that the time for a long word does not grow with the square of its length. */
const nameInText = String.raw`[\w.[\]-]{0,64}(?:${secretWords})[\w.[\]-]{0,64}`

const secretTexts: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // A JWT: two parts of JSON as Base64, and a signature. Each word is searched once from its start. Otherwise, the time for
  // `eyJ-eyJ-eyJ-…` grows with the square of its length.
  [/(?<![\w-])((?:(?!\beyJ)[\w-])*)\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]*/g, '$1redacted'],
  [/\b(Bearer|Basic) [\w.~+/-]{8,}=*/gi, '$1 redacted'],
  // Keys with the prefixes of their services: GitHub, GitLab, OpenAI and Stripe, Slack, AWS, Google.
  [
    /\b(?:gh[opsur]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|[prs]k[-_](?:live|test|proj|ant)[-_][\w-]{16,}|xox[abeprs]-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}\b|AIza[\w-]{35})/g,
    'redacted',
  ],
  // JSON with a prefix, or a line of it: "token": "…"
  [new RegExp(String.raw`("${nameInText}"\s*:\s*")(?:[^"\\]|\\.)+(?=")`, 'gi'), '$1redacted'],
  // A form, or the query of a URL: token=…
  [new RegExp(String.raw`((?<![\w.[\]-])${nameInText}=)[^&;#\s"'<>]+`, 'gi'), '$1redacted'],
  // A field of a page, and Rails' <meta name="csrf-token" content="…">.
  [
    new RegExp(String.raw`(\bname=["']${nameInText}["'][^<>]{0,200}?\s(?:value|content)=["'])[^"']+`, 'gi'),
    '$1redacted',
  ],
  // A header in a text.
  [/((?<![\w-])(?:(?:proxy-)?authorization|(?:set-)?cookie):[ \t]*)[^\s][^\r\n]*/gi, '$1redacted'],
  // Limit the length: otherwise the time for a long word, such as a file in Base64, grows with the square of its
  // length.
  [/[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi, 'person@example.com'],
]

/** Replaces e-mail addresses, JWTs, keys of known services, and values with the names of secrets. */
export function redactText(text: string): string {
  return secretTexts.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), redactParts(text))
}

/** Replaces the values of secret fields in a multipart body, which may be a part of the text. */
function redactParts(text: string): string {
  const boundary = /(?:^|\n)(--[^\r\n]{1,70})\r?\nContent-[a-z-]+:/i.exec(text)?.[1]
  if (boundary === undefined) return text
  return text
    .split(boundary)
    .map((part) => {
      const [headers, blank] = /^[^]*?(\r?\n)\1/.exec(part) ?? []
      const name = headers === undefined ? undefined : /\bname="?([^";\r\n]+)/i.exec(headers)?.[1]
      if (headers === undefined || blank === undefined || name === undefined || !isSecretName(name)) return part
      const body = part.slice(headers.length)
      const end = body.endsWith(blank) ? blank : ''
      return body === end ? part : `${headers}redacted${end}`
    })
    .join(boundary)
}

/** Replaces secrets in a value of JSON, and shortens its lists. Types stay as they are. */
export function redactJson(value: unknown): RedactedValue {
  const redacted = new Set<string>()
  const shortened = new Map<string, number>()

  function visit(each: unknown, path: string, isSecret: boolean): unknown {
    if (Array.isArray(each)) {
      if (each.length > listLimit) shortened.set(path, Math.max(each.length, shortened.get(path) ?? 0))
      return each.slice(0, listLimit).map((item) => visit(item, `${path}[]`, isSecret))
    }
    if (typeof each === 'object' && each !== null) {
      const entries = Object.entries(each).map(([name, member]: [string, unknown]): [string, unknown] => {
        const written = redactText(name)
        const below = path === '' ? written : `${path}.${written}`
        if (written !== name) redacted.add(below)
        return [written, visit(member, below, isSecret || isSecretName(name))]
      })
      return Object.fromEntries(entries)
    }
    const kept = redactLeaf(each, isSecret)
    if (kept !== each) redacted.add(path)
    return kept
  }

  return { value: visit(value, '', false), redacted: [...redacted], shortened: [...shortened] }
}

function redactLeaf(value: unknown, isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? 'redacted' : redactText(value)
  return typeof value === 'number' && isSecret ? 0 : value
}
