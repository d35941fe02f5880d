/**
 * The configuration of the parts of the second tier. Each part is a process, and the plugins and builds that other projects need
 * take more time to load than Vitest.
 */
import { defineConfig } from 'vitest/config'

import { secondTierProjects } from './test/second-tier-projects.ts'

export default defineConfig({ test: { maxWorkers: '100%', projects: secondTierProjects } })
