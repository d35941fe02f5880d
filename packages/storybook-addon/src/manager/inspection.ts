import { connectInspections, type InspectionConnection, type RemoteInspection } from '@understudy/engine/inspect'
import * as React from 'react'
import { useStorybookState } from 'storybook/manager-api'

import { previewsPort } from './preview-windows.ts'

let connection: InspectionConnection | undefined

/** The networks of the preview, and of those of composed Storybooks. */
export function getConnection(): InspectionConnection {
  return (connection ??= connectInspections(previewsPort))
}

/** Changes whenever any network does. */
function subscribeToAll(listener: () => void): () => void {
  const networks = getConnection()
  let ends: (() => void)[] = []
  const follow = (): void => {
    for (const end of ends) end()
    ends = networks.getNetworks().map((network) => network.subscribe(listener))
    listener()
  }
  const end = networks.subscribe(follow)
  follow()
  return () => {
    end()
    for (const each of ends) each()
  }
}

/** The network of the page that shows the story which is selected; nothing, until it has said so. */
export function useStoryNetwork(): RemoteInspection | undefined {
  const { storyId, refId, viewMode } = useStorybookState()
  const find = (): RemoteInspection | undefined =>
    getConnection()
      .getNetworks()
      .findLast((network) => {
        const { url } = network.getState().info
        const search = new URL(url ?? 'about:blank').searchParams
        const id = search.get('id')
        // The manager's own names of stories of composed Storybooks begin with the Storybook's.
        const isSelected = id === storyId || (refId !== undefined && `${refId}_${id}` === storyId)
        return isSelected && (search.get('refId') ?? undefined) === (refId ?? undefined)
      })
  const network = React.useSyncExternalStore(subscribeToAll, find)
  return viewMode === 'story' ? network : undefined
}

/** What a network holds now. */
export function useNetworkState(
  network: RemoteInspection | undefined,
): ReturnType<RemoteInspection['getState']> | null {
  return React.useSyncExternalStore(
    (listener) => network?.subscribe(listener) ?? (() => {}),
    () => network?.getState() ?? null,
  )
}
