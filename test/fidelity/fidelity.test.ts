import { chromium } from '../acceptance/chromium.ts'
import { testFidelity } from './test-fidelity.ts'

testFidelity(chromium)
