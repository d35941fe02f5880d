/** The script of the served page. */
import { connectInspections, panelChannel, toInspectionPort } from '@understudy/engine/inspect'
import * as React from 'react'
import { createRoot } from 'react-dom/client'

import { deliverInFrames } from './deliver-in-frames.ts'
import { joinPorts } from './join-ports.ts'
import { pageFacts } from './page-facts.ts'
import { PanelPage } from './PanelPage.tsx'
import { openServerPort } from './server-port.ts'

const pages = toInspectionPort(new BroadcastChannel(panelChannel))
const port = pageFacts.server === 'yes' ? joinPorts(pages, openServerPort()) : pages
const connection = connectInspections(deliverInFrames(port))
addEventListener('pagehide', () => connection.close())
addEventListener('pageshow', ({ persisted }) => {
  // The page came back from the back/forward cache without its connection.
  if (persisted) location.reload()
})
const element = document.querySelector('#panel')
if (element) createRoot(element).render(<PanelPage connection={connection} />)
