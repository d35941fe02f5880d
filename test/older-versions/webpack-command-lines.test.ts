/** webpack's command lines with the dev server of the other's time; each with its own is in the other tests. */
import { testFirstLine } from '../acceptance/first-line.ts'
import { mixedVersions } from '../webpack/tools.ts'

for (const tool of mixedVersions) testFirstLine(tool)
