import { toHandlerTarget } from '../log/copy-as.ts'
import { quoteText, toLiteral, type CodeStyle } from './code-style.ts'
import { toHandlerCode, type HandlersCode } from './handler-code.ts'
import { readHeader, type HeaderTarget, type ScenarioItem } from './scenario-item.ts'

/**
 * Returns the code of a scenario: an array of handlers, one for each override. All values become literals.
 *
 * @param name the scenario's name, for display
 * @param items in the order in which the handlers are tried
 */
export function toScenarioCode(name: string, items: readonly ScenarioItem[]): HandlersCode {
  const byHeader = new Map<string, ReturnType<typeof toItemCode>>()
  // Of handlers with the same path, the first one answers.
  for (const code of items.map(toItemCode)) if (!byHeader.has(code.header)) byHeader.set(code.header, code)
  const handlers = [...byHeader.values()]
  return {
    names: [...new Set(handlers.flatMap(({ names }) => names))],
    header: name,
    notes: handlers.flatMap(({ header, notes }) => notes.map((note) => `${header}: ${note}`)),
    write(style, indentation, local) {
      const { lineBreak, indent } = style
      const own = indentation + indent
      const lines = handlers.map((handler) => `${own}${handler.write(style, own, local)},${lineBreak}`)
      return `[${lineBreak}${lines.join('')}${indentation}]`
    },
  }
}

function toItemCode({ exchange, answer, delay }: ScenarioItem): HandlersCode {
  const target: HeaderTarget = readHeader(exchange.header ?? '') ?? toHandlerTarget(exchange, exchange.pageUrl)
  const { api, member, target: path, query } = target
  const handler = toHandlerCode(exchange, path, target)
  const writeResponse: typeof handler.writeAnswer = (style, indentation, local) =>
    answer === 'error' ? `${local('HttpResponse')}.error()` : handler.writeAnswer(style, indentation, local)

  function writeResolver(style: CodeStyle, indentation: string, local: (name: string) => string): string {
    if (delay === 0) return `() => ${writeResponse(style, indentation, local)}`
    const { lineBreak, indent, semicolon } = style
    const own = indentation + indent
    const wait = `await ${local('delay')}(${delay})`
    const last = answer === 'next' ? [] : [`return ${writeResponse(style, own, local)}`]
    const lines = [wait, ...last].map((line) => `${own}${line}${semicolon}${lineBreak}`)
    return `async () => {${lineBreak}${lines.join('')}${indentation}}`
  }

  return {
    names: [api, ...(answer === 'next' ? [] : ['HttpResponse']), ...(delay > 0 ? ['delay'] : [])],
    header: query && exchange.header !== null ? exchange.header : handler.header,
    notes: answer === 'response' ? handler.notes : [],
    write(style, indentation, local) {
      const options = query ? `, { query: ${toLiteral(query, style, indentation)} }` : ''
      const resolver = writeResolver(style, indentation, local)
      return `${local(api)}.${member}(${quoteText(path, style.quote)}, ${resolver}${options})`
    },
  }
}
