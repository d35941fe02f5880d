import { afterAll, beforeAll, beforeEach } from 'vitest'
import { cdp } from 'vitest/browser'

import type { Gate, PageScope } from '../gate.ts'
import { installGate } from '../install-gate.ts'
import { startArrivalServer, type ArrivalServer } from './arrivals.ts'

interface Page {
  /** Answers and counts the requests that leave the frame. */
  server: ArrivalServer
  /** The window of the current test's frame. */
  scope: PageScope
}

interface GatedPage extends Page {
  /** The gate in the current test's frame. */
  gate: Gate
}

/** Opens a frame before each test of the file that calls this. The returned object is empty until the first test. */
export function useFrames(): Page {
  const page = {} as Page
  beforeAll(async () => {
    page.server = await startArrivalServer(cdp())
  })
  beforeEach(async () => {
    page.scope = await page.server.openFrame()
  })
  afterAll(() => page.server.close())
  return page
}

/**
 * Opens a frame and installs a gate in it, before each test of the file that calls this. The returned object is empty
 * until the first test.
 *
 * @param readNatives runs before the gate replaces the frame's globals
 */
export function useGatedFrames(readNatives?: (scope: PageScope) => void): GatedPage {
  const page = useFrames() as GatedPage
  beforeEach(() => {
    readNatives?.(page.scope)
    page.gate = installGate(page.scope)
  })
  return page
}
