import type { Meta, StoryObj } from '@storybook/react-vite'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'

import { listBoats } from '../src/api/harbour.ts'
import { boatNamed, expectBoat } from './boats.ts'

/** One client for the whole app, as in real apps. */
const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } })

function Boats(): ReactElement {
  const { data } = useQuery({ queryKey: ['boats'], queryFn: () => listBoats('/api/boats') })
  return <p>{data?.[0]?.name ?? '…'}</p>
}

const meta: Meta = {
  title: 'Caches/TanStack Query',
  tags: ['!autodocs'],
  decorators: [(Story) => <QueryClientProvider client={queryClient}>{Story()}</QueryClientProvider>],
  render: () => <Boats />,
  parameters: { understudy: { clearCaches: () => queryClient.clear() } },
}
export default meta

export const First: StoryObj = { parameters: { handlers: [boatNamed('Petrel')] }, play: expectBoat('Petrel') }
export const Second: StoryObj = { parameters: { handlers: [boatNamed('Dipper')] }, play: expectBoat('Dipper') }
/** Without the recipe, it shows the cached response of the client. */
export const Kept: StoryObj = {
  tags: ['!test'],
  parameters: { handlers: [boatNamed('Curlew')], understudy: { clearCaches: [] } },
}
