/** Tests the app in Chromium, on Vite's dev server, with a backend that counts its requests. None may reach it. */
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { launchBrowser, openPage, openVisit, type Visit } from '../../../test/acceptance/browser.ts'
import type { RunningServer } from '../../../test/acceptance/build-tool.ts'
import { startBackend, type CountingBackend } from '../../../test/acceptance/counting-backend.ts'
import { createProject, type Project } from '../../../test/acceptance/project.ts'
import { useWholeBrowser } from '../../../test/acceptance/whole-browser.ts'
import { vite } from '../../../test/vite/vite.ts'

useWholeBrowser()

let backend: CountingBackend
let project: Project
let browser: Browser
let server: RunningServer

beforeAll(async () => {
  ;[backend, project, browser] = await Promise.all([
    startBackend(),
    createProject('sandboxes/vite-react'),
    launchBrowser(),
  ])
  server = await vite.start(project, { env: { API_ORIGIN: backend.origin } })
})

afterAll(async () => {
  await Promise.all([browser.close(), server.stop(), backend.close()])
  await project.dispose()
})

afterEach(() => {
  const escaped = [...backend.requests]
  backend.forget()
  expect(escaped).toEqual([])
})

/** Chromium's own console line about an error response. */
const isOfStatus = (line: string): boolean => line.startsWith('error: Failed to load resource')

function expectQuiet({ console: lines, errors }: Visit): void {
  const problems = lines.filter((line) => /^(error|warning)/.test(line) && !isOfStatus(line))
  expect({ errors, problems }).toEqual({ errors: [], problems: [] })
}

async function expectPosters(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const posters = [...document.querySelectorAll<HTMLImageElement>('img.poster')]
    return posters.length === 6 && posters.every((poster) => poster.naturalWidth > 0)
  })
}

// This is the first test: the server has optimized no dependencies yet, and the browser's profile is empty.
test('the first visit needs one navigation, and no request escapes', async () => {
  const visit = await openVisit(browser)
  const { page, navigations } = visit
  await page.goto(server.origin)
  await page.getByRole('heading', { name: 'Winter season 2026–27', level: 1 }).waitFor()
  await expectPosters(page)
  await page.waitForLoadState('networkidle')
  expect(navigations).toEqual([`${server.origin}/`])
  expectQuiet(visit)
  await visit.close()
})

describe('in a profile that has visited before', () => {
  let context: BrowserContext
  let visit: Visit
  let page: Page

  beforeAll(async () => {
    context = await browser.newContext()
    const first = await openPage(context)
    await first.page.goto(server.origin)
    await expectPosters(first.page)
    await first.close()
  })

  afterAll(() => context.close())

  beforeEach(async () => {
    visit = await openPage(context)
    page = visit.page
  })

  afterEach(async () => {
    expectQuiet(visit)
    await visit.close()
  })

  test('a later visit is mocked, including images', async () => {
    await page.goto(server.origin)
    await page.getByRole('heading', { name: 'Winter season 2026–27', level: 1 }).waitFor()
    await expectPosters(page)
    expect(visit.navigations).toHaveLength(1)
  })

  test('a play, with its free seats by XMLHttpRequest', async () => {
    await page.goto(server.origin)
    await page.getByRole('link', { name: 'The Seagull' }).click()
    await page.getByRole('heading', { name: 'The Seagull', level: 1 }).waitFor()
    await page.getByRole('radio', { name: 'Thu 14 Jan 7:30 pm 84 seats left' }).waitFor()
    const poster = page.getByRole('img', { name: 'Poster for The Seagull' })
    await expect.poll(() => poster.evaluate((image: HTMLImageElement) => image.naturalWidth > 0)).toBe(true)
  })

  test('a form is refused with an error for each field, and then accepted', async () => {
    await page.goto(`${server.origin}/plays/the-seagull`)
    const book = page.getByRole('button', { name: 'Book seats' })
    await book.click()
    await page.getByRole('alert').getByText('Some of this needs another look').waitFor()
    for (const problem of [
      'Choose a performance.',
      'Say whose name goes on the tickets.',
      'Enter an e-mail address, such as ada@example.com.',
    ]) {
      await page.getByText(problem).waitFor()
    }

    await page.getByRole('radio', { name: 'Thu 14 Jan 7:30 pm' }).check()
    await page.getByLabel('Seats', { exact: true }).fill('9')
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await book.click()
    await page.getByText('Book between 1 and 8 seats.').waitFor()

    await page.getByLabel('Seats', { exact: true }).fill('2')
    await book.click()
    await page.getByRole('heading', { name: 'You’re booked, Ada', level: 3 }).waitFor()
    await page.getByText('GL-1042').waitFor()
  })

  test('a session is in a cookie: it survives a reload, and ends', async () => {
    await page.goto(`${server.origin}/sign-in`)
    const signIn = page.getByRole('main').getByRole('button', { name: 'Sign in' })
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByLabel('Password').fill('wrong')
    await signIn.click()
    await page.getByText('We know no one by that e-mail and password.').waitFor()

    await page.getByLabel('Password').fill('break-a-leg')
    await signIn.click()
    const signedIn = page.getByText('Signed in as Ada Lovelace')
    await signedIn.waitFor()
    await page.reload()
    await signedIn.waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await signedIn.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate(() => document.cookie)).toBe('')
  })

  test('slow, failing and missing responses are shown, and requests are repeated', async () => {
    await page.goto(`${server.origin}/office`)
    await page.getByRole('heading', { name: 'Office', level: 1 }).waitFor()
    const sales = page.getByRole('region', { name: 'Season sales' })
    const reviews = page.getByRole('region', { name: 'Reviews' })
    const printer = page.getByRole('region', { name: 'Ticket printer' })

    await reviews.getByRole('alert').getByText('The reviews could not be loaded').waitFor()
    await printer.getByRole('alert').getByText('The printer could not be reached').waitFor()
    await sales.getByText('£25,692 taken so far').waitFor()

    await reviews.getByRole('button', { name: 'Try again' }).click()
    await reviews.getByRole('alert').waitFor({ state: 'detached' })
    await printer.getByRole('button', { name: 'Try again' }).click()
    await printer.getByRole('alert').getByText('The printer could not be reached').waitFor()
  })

  test('a missing page is a 404', async () => {
    await page.goto(`${server.origin}/plays/nope`)
    await page.getByRole('heading', { name: 'The stage is empty', level: 1 }).waitFor()
  })
})
