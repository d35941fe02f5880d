import { testBundledDev } from '../acceptance/bundled-dev.ts'
/** The scenarios with Vite's dev server that need no separate browser. */
import { testHydration } from '../acceptance/hydration.ts'
import { testQuickEdits } from '../acceptance/quick-edits.ts'
import { publicName, testRemote } from '../acceptance/remote.ts'
import { testRenderedPages } from '../acceptance/rendered-pages.ts'
import { bundledVite, vite, viteWithReact } from '../vite/vite.ts'
import { inFirefox } from './firefox.ts'
import { shareBrowser } from './shared-browser.ts'

inFirefox((firefox) => {
  const driver = shareBrowser(firefox, { hosts: [publicName], certificates: 'of the tests' })
  testBundledDev(bundledVite, driver)
  testHydration(viteWithReact, driver)
  testQuickEdits(vite, driver)
  testRemote(vite, driver)
  testRenderedPages(['vite'], driver)
})
