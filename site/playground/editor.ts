import { closeBrackets } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** The editor of the handlers. */
export interface Editor {
  read(): string
  write(code: string): void
  /** Marks a line, or no line. */
  mark(message?: string, line?: number | null): void
}

/** The style sheet sets the colors of the light and the dark mode. */
const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], class: 'pg-keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], class: 'pg-string' },
  { tag: [tags.number, tags.bool, tags.null], class: 'pg-number' },
  { tag: tags.comment, class: 'pg-comment' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: 'pg-function' },
  { tag: [tags.typeName, tags.className], class: 'pg-type' },
])

/** @param onChange called with the code after each edit */
export function createEditor(parent: HTMLElement, code: string, onChange: (code: string) => void): Editor {
  const view = new EditorView({
    parent,
    doc: code,
    extensions: [
      lineNumbers(),
      history(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      syntaxHighlighting(highlighting),
      javascript({ typescript: true }),
      // The keys Escape and then Tab move the focus out of the editor.
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ 'aria-label': 'Handlers' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString())
      }),
    ],
  })
  return {
    read: () => view.state.doc.toString(),
    write: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    mark(message, line) {
      const { doc } = view.state
      const place = line != null && line >= 1 && line <= doc.lines ? doc.line(line) : undefined
      const marks = message && place ? [{ from: place.from, to: place.to, severity: 'error' as const, message }] : []
      view.dispatch(setDiagnostics(view.state, marks))
    },
  }
}
