import { configureStore } from '@reduxjs/toolkit'
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query/react'
import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { Provider } from 'react-redux'

import type { Boat } from '../src/api/harbour.ts'
import { boatNamed, expectBoat } from './boats.ts'

const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: new URL('/api', location.origin).href }),
  endpoints: (build) => ({ boats: build.query<Boat[], void>({ query: () => '/boats' }) }),
})

/** One client for the whole app, as in real apps. */
const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
})

function Boats(): ReactElement {
  const { data } = api.useBoatsQuery()
  return <p>{data?.[0]?.name ?? '…'}</p>
}

const meta: Meta = {
  title: 'Caches/RTK Query',
  tags: ['!autodocs'],
  decorators: [(Story) => <Provider store={store}>{Story()}</Provider>],
  render: () => <Boats />,
  parameters: { understudy: { clearCaches: () => store.dispatch(api.util.resetApiState()) } },
}
export default meta

export const First: StoryObj = { parameters: { handlers: [boatNamed('Petrel')] }, play: expectBoat('Petrel') }
export const Second: StoryObj = { parameters: { handlers: [boatNamed('Dipper')] }, play: expectBoat('Dipper') }
/** Without the recipe, it shows the cached response of the client. */
export const Kept: StoryObj = {
  tags: ['!test'],
  parameters: { handlers: [boatNamed('Curlew')], understudy: { clearCaches: [] } },
}
