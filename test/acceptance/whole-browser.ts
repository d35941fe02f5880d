import { afterAll } from 'vitest'

/**
 * Runs a test file in the whole browser, as people use it, and not in the headless shell
 * ([decision 257](../../docs/decisions/0257-the-headless-shell-in-the-first-tier.md)).
 */
export function useWholeBrowser(): void {
  const shell = process.env['UNDERSTUDY_HEADLESS_SHELL']
  process.env['UNDERSTUDY_HEADLESS_SHELL'] = ''
  // The next file of this process may use it.
  afterAll(() => {
    if (shell === undefined) delete process.env['UNDERSTUDY_HEADLESS_SHELL']
    else process.env['UNDERSTUDY_HEADLESS_SHELL'] = shell
  })
}
