import type { ResolvedConfig } from 'vite'
import { expect, test } from 'vitest'

import { configuration } from './configuration.ts'
import type { Project } from './project.ts'

test.each([
  ['Vite 5', undefined],
  ['Vite 5 in Vitest 2, which adds an entry', { ssr: { resolve: { conditions: [] } } }],
])('%s is refused with the reason', (_name, environments) => {
  const { configResolved } = configuration({} as Project)
  const config = { environments } as unknown as ResolvedConfig
  expect(() => (configResolved as (given: ResolvedConfig) => void)(config)).toThrow('needs Vite 6 or later')
})
