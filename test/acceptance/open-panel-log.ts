import type { Locator, Page } from 'playwright'
import { beforeEach } from 'vitest'

import type { Visit } from './browser.ts'
import type { BuildTool } from './build-tool.ts'
import { createPanelLogApp } from './panel-log-app.ts'
import { serveApp, type ServedApp } from './serve-app.ts'

/** An app that has made a request, and the view *Requests* of its panel. Each test gets new pages. */
export interface PanelLog {
  readonly served: ServedApp
  readonly handlersFile: string
  readonly app: Visit
  readonly panel: Page
  ask(path: string): Promise<[status: number, text: string]>
  tab(name: string): Locator
  /** The rows whose names match. */
  options(name: RegExp): Locator
  /** A line of the details of the selected request. */
  fact(name: string): Locator
}

/** Serves the app for the tests of the current `describe`, and opens its panel before each. */
export function openPanelLog(tool: BuildTool): PanelLog {
  const { handlersFile, files } = createPanelLogApp(tool)
  const served = serveApp(tool, files)
  let app: Visit
  let panel: Page

  beforeEach(async () => {
    app = await served.openApp()
    await log.ask('/api/user')
    panel = await served.openPanel(app)
    await log.tab('Requests').click()
    await log
      .options(/\/api\/user/)
      .first()
      .waitFor()
  })

  const log: PanelLog = {
    served,
    handlersFile,
    get app() {
      return app
    },
    get panel() {
      return panel
    },
    ask: (path) => app.page.evaluate(`ask('${path}')`),
    tab: (name) => panel.getByRole('tab', { name }),
    options: (name) => panel.getByRole('listbox', { name: 'Requests' }).getByRole('option', { name }),
    fact: (name) => panel.locator('.us-detail .us-fact').filter({ has: panel.locator('dt', { hasText: name }) }),
  }
  return log
}
