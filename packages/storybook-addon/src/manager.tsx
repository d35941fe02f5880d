import * as React from 'react'
import { addons, types } from 'storybook/manager-api'

import { addonId, panelId, scenarioToolId, toolId } from './events.ts'
import { HandlersPanel } from './manager/HandlersPanel.tsx'
import { getConnection } from './manager/inspection.ts'
import { markStories } from './manager/mark-stories.ts'
import { NetworkTool } from './manager/NetworkTool.tsx'
import { PanelTitle } from './manager/PanelTitle.tsx'
import { ScenarioTool } from './manager/ScenarioTool.tsx'

addons.register(addonId, () => {
  getConnection()
  markStories()
  addons.add(panelId, {
    type: types.PANEL,
    title: () => <PanelTitle />,
    match: ({ viewMode }) => viewMode === 'story',
    render: ({ active = false }) => (
      // The AddonPanel of Storybook 9 is as high as its content, and the panel then renders each row of a long list.
      <div hidden={!active} style={{ height: '100%' }}>
        <HandlersPanel />
      </div>
    ),
  })
  addons.add(toolId, {
    type: types.TOOL,
    title: 'Network condition',
    match: ({ viewMode, tabId }) => !tabId && (viewMode === 'story' || viewMode === 'docs'),
    render: () => <NetworkTool />,
  })
  addons.add(scenarioToolId, {
    type: types.TOOL,
    title: 'Scenario',
    match: ({ viewMode, tabId }) => !tabId && viewMode === 'story',
    render: () => <ScenarioTool />,
  })
})
