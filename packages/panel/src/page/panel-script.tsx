/** The script of the served page. */
import { connectInspections, panelChannel, toInspectionPort } from '@understudy/engine/inspect'
import * as React from 'react'
import { createRoot } from 'react-dom/client'

import { PanelPage } from './PanelPage.tsx'

const connection = connectInspections(toInspectionPort(new BroadcastChannel(panelChannel)))
addEventListener('pagehide', () => connection.close())
addEventListener('pageshow', ({ persisted }) => {
  // It came back from the browser's cache, without its connection.
  if (persisted) location.reload()
})
const element = document.querySelector('#panel')
if (element) createRoot(element).render(<PanelPage connection={connection} />)
