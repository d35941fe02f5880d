import { connectInspections, type InspectionConnection, type RemoteInspection } from '@understudy/engine/inspect'
import * as React from 'react'
import { useStorybookState } from 'storybook/manager-api'

import { previewsPort } from './preview-windows.ts'

let connection: InspectionConnection | undefined

/** Returns the networks of the preview and of composed Storybooks. */
export function getConnection(): InspectionConnection {
  return (connection ??= connectInspections(previewsPort))
}

/** Calls a listener when any network changes. */
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

/** Returns the network of the page that shows the selected story; `undefined` until the page has reported it. */
export function useStoryNetwork(): RemoteInspection | undefined {
  const { storyId, refId, viewMode } = useStorybookState()
  const find = (): RemoteInspection | undefined =>
    getConnection()
      .getNetworks()
      .findLast((network) => {
        const { url } = network.getState().info
        const search = new URL(url ?? 'about:blank').searchParams
        const id = search.get('id')
        // In the manager, ids of stories of a composed Storybook begin with the id of that Storybook.
        const isSelected = id === storyId || (refId !== undefined && `${refId}_${id}` === storyId)
        return isSelected && (search.get('refId') ?? undefined) === (refId ?? undefined)
      })
  const network = React.useSyncExternalStore(subscribeToAll, find)
  return viewMode === 'story' ? network : undefined
}

/** Returns the current state of a network. */
export function useNetworkState(
  network: RemoteInspection | undefined,
): ReturnType<RemoteInspection['getState']> | null {
  return React.useSyncExternalStore(
    (listener) => network?.subscribe(listener) ?? (() => {}),
    () => network?.getState() ?? null,
  )
}
