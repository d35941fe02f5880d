/** The code style of a file. */
export interface CodeStyle {
  readonly lineBreak: '\n' | '\r\n'
  /** One level of indentation. */
  readonly indent: string
  readonly quote: '"' | "'"
  /** `;` or an empty text. */
  readonly semicolon: '' | ';'
}

/** The maximum width of a line, if a value can be broken. */
const width = 100

/** Reads the style of a file from its text. */
export function readStyle(text: string): CodeStyle {
  const [indent = '  '] = /(?<=^|\n)(?:\t| {2,8})(?=[^\s*])/.exec(text) ?? []
  const single = text.match(/(?<=[=(,[{:]\s*|from |import )'/g)?.length ?? 0
  const double = text.match(/(?<=[=(,[{:]\s*|from |import )"/g)?.length ?? 0
  return {
    lineBreak: text.includes('\r\n') ? '\r\n' : '\n',
    indent,
    quote: double > single ? '"' : "'",
    semicolon: /;[ \t]*\r?(?:\n|$)/.test(text) ? ';' : '',
  }
}

/** Formats a string as a literal of JavaScript. */
export function quoteText(text: string, quote: CodeStyle['quote']): string {
  const json = JSON.stringify(text)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
  if (quote === '"') return json
  const content = json.slice(1, -1).replaceAll(/\\.|'/g, (each) => (each === "'" ? "\\'" : each === '\\"' ? '"' : each))
  return `'${content}'`
}

/**
 * Formats a value of JSON as a literal of JavaScript.
 *
 * @param indentation the text at the start of the lines after the first
 */
export function toLiteral(value: unknown, style: CodeStyle, indentation: string): string {
  if (typeof value === 'string') return quoteText(value, style.quote)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = indentation + style.indent
  const isList = Array.isArray(value)
  const parts = isList
    ? (value as unknown[]).map((item) => toLiteral(item, style, inner))
    : Object.entries(value).map(([name, item]) => `${toKey(name, style)}: ${toLiteral(item, style, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  const space = isList ? '' : ' '
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (line.length + indentation.length <= width - 40 && !line.includes('\n')) return line
  const { lineBreak } = style
  return `${open}${lineBreak}${parts.map((part) => `${inner}${part},${lineBreak}`).join('')}${indentation}${close}`
}

/** Formats the key of a property. */
export function toKey(name: string, { quote }: CodeStyle): string {
  // A plain key `__proto__` would set the prototype.
  if (name === '__proto__') return `[${quoteText(name, quote)}]`
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteText(name, quote)
}
