import * as React from 'react'

import { copyText } from './copy-text.ts'
import { usePanel } from './panel-context.ts'

interface CopyButtonProps {
  /** A function if creating the text takes time. */
  text: string | (() => string)
  /** The name of the copied text for screen readers: `the response body`. */
  what: string
  children?: string
}

export function CopyButton({ text, what, children = 'Copy' }: CopyButtonProps): React.ReactElement {
  const { kit, announce } = usePanel()
  const [said, setSaid] = React.useState<string | null>(null)

  React.useEffect(() => {
    if (said === null) return undefined
    const timer = setTimeout(() => setSaid(null), 2000)
    return () => clearTimeout(timer)
  }, [said])

  async function copy(): Promise<void> {
    const isCopied = await copyText(typeof text === 'string' ? text : text())
    setSaid(isCopied ? 'Copied' : 'Not allowed')
    announce(isCopied ? `Copied ${what}` : `The browser did not allow to copy ${what}`)
  }

  // The name contains the visible text: people who speak to the browser say what they see.
  const verb = said ?? (children.startsWith('Copy') ? children : 'Copy')
  return (
    <kit.Button isPlain ariaLabel={`${verb} ${what}`} onClick={() => void copy()}>
      {said ?? children}
    </kit.Button>
  )
}
