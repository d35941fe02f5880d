import type { LoggedRequest } from '@understudy/engine/inspect'
import * as React from 'react'

import { usePanel } from '../panel-context.ts'
import { toHar, type Exchange } from './to-har.ts'

interface HarButtonProps {
  /** The requests to save. */
  requests: readonly LoggedRequest[]
}

/** Saves requests as a file that browsers' developer tools and test tools read. */
export function HarButton({ requests }: HarButtonProps): React.ReactElement {
  const { kit, host, announce, fail } = usePanel()
  const count = requests.filter(({ outcome }) => outcome !== 'pending').length

  async function save(): Promise<void> {
    const exchanges: Exchange[] = []
    for (const request of requests) {
      // The page of an earlier request may be closed. Save the known data of the request.
      exchanges.push({ request, details: await host.details(request.id).catch(() => null) })
    }
    download(toHar(exchanges), 'requests.har')
    announce(`Saved ${count} requests`)
  }

  return (
    <kit.Button
      isPlain
      ariaLabel="Save HAR of the shown requests"
      isDisabled={count === 0}
      onClick={() => void save().catch(fail)}
    >
      Save HAR
    </kit.Button>
  )
}

/** Offers a file to the browser's downloads. */
export function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the file after this task.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
