import type { ReactElement } from 'react'

import { getPrinter } from '../api/printer.ts'
import { useRequest } from '../use-request.ts'
import { Panel } from './Panel.tsx'

export function PrinterPanel(): ReactElement {
  const request = useRequest('printer', getPrinter)
  return (
    <Panel
      title="Ticket printer"
      request={request}
      loading="Calling the printer…"
      failure="The printer could not be reached"
    >
      {({ paper, queued }) => (
        <p>
          Paper {paper}, {queued === 0 ? 'nothing' : queued} waiting to print.
        </p>
      )}
    </Panel>
  )
}
