/** Tests webpack's command lines with the dev server of another version. Other tests use the matching versions. */
import { chromium } from '../acceptance/chromium.ts'
import { testFirstLine } from '../acceptance/first-line.ts'
import { mixedVersions } from '../webpack/tools.ts'

for (const tool of mixedVersions) testFirstLine(tool, chromium, 'visits')
