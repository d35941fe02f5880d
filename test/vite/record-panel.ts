/**
 * Records the pictures of docs/panel.md: the panel beside a real app on a real dev server.
 *
 *     npm run record
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from 'playwright'

import { launchBrowser } from '../acceptance/browser.ts'
import { createProject, repository } from '../acceptance/project.ts'
import { vite } from './vite.ts'

interface Picture {
  readonly name: string
  readonly size: { readonly width: number; readonly height: number }
  readonly dark?: boolean
  /** What is done before it is taken. */
  readonly prepare: (panel: Page) => Promise<void>
}

const wide = { width: 1000, height: 460 }
const tab = (panel: Page, name: string): Promise<void> => panel.getByRole('tab', { name }).click()

async function showRequest(panel: Page): Promise<void> {
  await tab(panel, 'Requests')
  await panel.getByRole('option', { name: /POST \/api\/bookings/ }).click()
  await panel.getByText('"seats"').first().waitFor()
}

const pictures: readonly Picture[] = [
  { name: 'panel-handlers', size: wide, prepare: (panel) => tab(panel, 'Handlers') },
  { name: 'panel-handlers-dark', size: wide, dark: true, prepare: (panel) => tab(panel, 'Handlers') },
  { name: 'panel-requests', size: wide, prepare: showRequest },
  { name: 'panel-misses', size: { ...wide, height: 300 }, prepare: (panel) => tab(panel, 'Misses') },
  { name: 'panel-narrow', size: { width: 340, height: 460 }, dark: true, prepare: (panel) => tab(panel, 'Handlers') },
]

const folder = join(repository, 'docs/images')
await mkdir(folder, { recursive: true })
const [browser, project] = await Promise.all([launchBrowser(), createProject('sandboxes/vite-react')])
const server = await vite.start(project)
try {
  const context = await browser.newContext()
  const app = await context.newPage()
  await app.goto(server.origin)
  const panel = await context.newPage()
  await panel.goto(`${server.origin}/__understudy/`)
  await panel.getByRole('switch').first().waitFor()
  await useApp(app)
  await force(panel)
  for (const { name, size, dark = false, prepare } of pictures) {
    await panel.setViewportSize(size)
    await panel.emulateMedia({ colorScheme: dark ? 'dark' : 'light' })
    await prepare(panel)
    await panel.mouse.move(size.width - 1, size.height - 1)
    await panel.screenshot({ path: join(folder, `${name}.png`) })
  }
} finally {
  await Promise.all([browser.close(), server.stop()])
  await project.dispose()
}

async function useApp(app: Page): Promise<void> {
  await app.reload({ waitUntil: 'networkidle' })
  await app.evaluate(async () => {
    const body = JSON.stringify({ play: 1, seats: ['A1', 'A2'], name: 'Ada', email: 'ada@example.com' })
    await fetch('/api/bookings', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    for (const path of ['/api/play/7', '/api/season/2026', '/api/play/9']) await fetch(path).catch(() => {})
  })
}

async function force(panel: Page): Promise<void> {
  const buttons = panel.getByRole('button', { name: /^Force an answer of/ })
  await buttons.nth(1).click()
  await panel.getByRole('combobox', { name: /^Forced answer/ }).selectOption('503 Service Unavailable')
  await panel.getByRole('slider').press('PageUp')
  await panel.getByRole('switch').nth(3).click()
  await panel.getByText('2 handlers overridden').waitFor()
}
