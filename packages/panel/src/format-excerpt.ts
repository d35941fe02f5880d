/** The number of lines above and below the line of the place. */
const around = 2
/** The maximum length of a line, in characters. */
const lineLimit = 200

/** Returns the lines of a text around a place with their numbers, and a mark below the column; `null` if there is no such line. */
export function formatExcerpt(text: string, { line, column }: { line: number; column: number }): string | null {
  const lines = text.split(/\r?\n/)
  const marked = lines[line - 1]
  if (marked === undefined || text === '') return null
  const first = Math.max(1, line - around)
  const shown = lines.slice(first - 1, line + around)
  const width = String(first + shown.length - 1).length
  return shown
    .flatMap((each, index) => {
      const number = String(first + index).padStart(width)
      const code = each.length > lineLimit ? `${each.slice(0, lineLimit)}…` : each
      const row = `${first + index === line ? '>' : ' '} ${number} | ${code}`.trimEnd()
      // Some tools know only the line, and say column 1.
      const isMarked = first + index === line && column <= lineLimit && /\S/.test(each[column - 1] ?? '')
      if (!isMarked) return [row]
      // Tabs stay, so that the mark is below its column.
      return [row, `  ${' '.repeat(width)} | ${each.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')}^`]
    })
    .join('\n')
}
