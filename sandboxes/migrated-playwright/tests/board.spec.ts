import { expect, test, type Page } from '@playwright/test'

async function signIn(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in as Ada' }).click()
  await expect(page.getByRole('heading')).toHaveText('The board of Ada')
  await expect(page.getByRole('listitem')).toHaveCount(3)
}

test('signs in by a cookie', async ({ page }) => {
  await signIn(page)
  await page.reload()
  await expect(page.getByRole('heading')).toHaveText('The board of Ada')
})

test('shows more notes', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('listitem')).toHaveText([/^Rake/, /^Shed key/, /^Compost/, /^Hose/])
  await expect(page.getByRole('button', { name: 'More' })).toHaveCount(0)
})

test('adds a note', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('alert')).toHaveText('Write something.')
  await page.getByLabel('Note').fill('Ladder')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('listitem').first()).toContainText('Ladder (0)')
})

test('votes', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: 'Vote for Shed key' }).click()
  await expect(page.getByText('Shed key (1)')).toBeVisible()
})

test('takes a vote back that failed', async ({ page }) => {
  await signIn(page)
  await page.evaluate(() => {
    const { http, HttpResponse, worker } = window.msw
    worker.use(
      http.post('/api/notes/:id/votes', () => HttpResponse.json({ message: 'No more votes.' }, { status: 409 })),
    )
  })
  await page.getByRole('button', { name: 'Vote for Rake' }).click()
  await expect(page.getByRole('alert')).toHaveText('No more votes.')
  await expect(page.getByText('Rake (0)')).toBeVisible()
})

test('an override answers once, and is reset', async ({ page }) => {
  await signIn(page)
  const statuses = await page.evaluate(async () => {
    const { http, HttpResponse, worker } = window.msw
    worker.use(http.get('/api/notes', () => new HttpResponse(null, { status: 503 }), { once: true }))
    const read = async () => (await fetch('/api/notes?cursor=0')).status
    const first = [await read(), await read()]
    worker.use(http.get('/api/notes', () => new HttpResponse(null, { status: 418 })))
    const overridden = await read()
    worker.resetHandlers()
    return [...first, overridden, await read()]
  })
  expect(statuses).toEqual([503, 200, 418, 200])
})

test('a network error', async ({ page }) => {
  await signIn(page)
  await page.evaluate(() => {
    const { http, HttpResponse, worker } = window.msw
    worker.use(http.post('/api/notes', () => HttpResponse.error()))
  })
  await page.getByLabel('Note').fill('Lost')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('alert')).toHaveText('Failed to fetch')
})

test('uploads a picture', async ({ page }) => {
  await signIn(page)
  await page
    .getByLabel('Picture')
    .setInputFiles({ name: 'shed.png', mimeType: 'image/png', buffer: Buffer.from('pixels') })
  await expect(page.getByRole('status')).toHaveText('shed.png: 6 bytes')
})

test('reads news in parts', async ({ page }) => {
  await signIn(page)
  await page.getByRole('button', { name: 'News' }).click()
  await expect(page.getByTestId('news')).toHaveText('The hose leaks.')
})

test('events report requests and responses', async ({ page }) => {
  await signIn(page)
  const log = await page.evaluate(async () => {
    const events: string[] = []
    const { worker } = window.msw
    worker.events.on(
      'request:start',
      ({ request }) => void events.push(`${request.method} ${new URL(request.url).pathname}`),
    )
    const answered = new Promise<void>((resolve) => {
      worker.events.on('response:mocked', ({ response }) => {
        events.push(String(response.status))
        resolve()
      })
    })
    await fetch('/api/notes/99/votes', { method: 'POST' })
    await answered
    return events
  })
  expect(log).toEqual(['POST /api/notes/99/votes', '404'])
})
