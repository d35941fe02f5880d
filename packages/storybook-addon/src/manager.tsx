import * as React from 'react'
import { AddonPanel } from 'storybook/internal/components'
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
      <AddonPanel active={active} hasScrollbar={false}>
        <HandlersPanel />
      </AddonPanel>
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
