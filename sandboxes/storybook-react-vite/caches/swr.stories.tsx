import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import useSWR, { mutate } from 'swr'

import { listBoats } from '../src/api/harbour.ts'
import { boatNamed, expectBoat } from './boats.ts'

function Boats(): ReactElement {
  const { data } = useSWR('/api/boats', listBoats, { revalidateIfStale: false })
  return <p>{data?.[0]?.name ?? '…'}</p>
}

const meta: Meta = {
  title: 'Caches/SWR',
  tags: ['!autodocs'],
  render: () => <Boats />,
  parameters: { understudy: { clearCaches: () => mutate(() => true, undefined) } },
}
export default meta

export const First: StoryObj = { parameters: { handlers: [boatNamed('Petrel')] }, play: expectBoat('Petrel') }
export const Second: StoryObj = { parameters: { handlers: [boatNamed('Dipper')] }, play: expectBoat('Dipper') }
/** Without the recipe, it shows the cached response of the client. */
export const Kept: StoryObj = {
  tags: ['!test'],
  parameters: { handlers: [boatNamed('Curlew')], understudy: { clearCaches: [] } },
}
