import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { chromium } from './chromium.ts'
import { startBackend, type CountingBackend } from './counting-backend.ts'
import { repository } from './project.ts'
import type { BrowserDriver, TestBrowser } from './test-browser.ts'

/** The script of the page: a classic one, because browsers load no modules from `file://` URLs. */
const script = `
import { http, HttpResponse } from '@understudy/engine'
import { setupWorker } from '@understudy/engine/browser'
Object.assign(globalThis, { http, HttpResponse, setupWorker })`

/** Tests a page that the browser opens from a file. */
export function testFilePages(driver: BrowserDriver = chromium): void {
  let backend: CountingBackend
  let browser: TestBrowser
  let folder: string

  beforeAll(async () => {
    ;[backend, browser, folder] = await Promise.all([
      startBackend(),
      driver.launch(),
      mkdtemp(join(tmpdir(), 'understudy-file-')),
    ])
    const { outputFiles } = await build({
      stdin: { contents: script, resolveDir: repository },
      bundle: true,
      format: 'iife',
      write: false,
    })
    await writeFile(join(folder, 'index.html'), `<!doctype html><script src="./main.js"></script>`)
    await writeFile(join(folder, 'main.js'), outputFiles[0]?.text ?? '')
  })
  afterAll(async () => {
    await Promise.all([browser.close(), backend.close()])
    await rm(folder, { recursive: true })
  })

  test('a page of a file:// URL answers itself, and the console says why', async () => {
    const visit = await browser.openVisit()
    await visit.page.goto(pathToFileURL(join(folder, 'index.html')).href)
    const answer = await visit.page.evaluate(`(async () => {
      await setupWorker(http.get('${backend.origin}/api/user', () => HttpResponse.text('the mock'))).start()
      return (await fetch('${backend.origin}/api/user')).text()
    })()`)
    expect(answer).toBe('the mock')
    expect(visit.console.filter((line) => line.includes('in the page itself'))).toEqual([
      expect.stringContaining('because file:// pages cannot have service workers. Serve the page over'),
    ])
    expect(backend.requests).toEqual([])
    await visit.close()
  })
}
