import { testOtherVersions } from '../acceptance/other-versions.ts'
import { vite } from './vite.ts'

testOtherVersions(vite)
