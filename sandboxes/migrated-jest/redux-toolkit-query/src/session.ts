import { createSlice, type PayloadAction } from '@reduxjs/toolkit'

const session = createSlice({
  name: 'session',
  initialState: { token: null as string | null },
  reducers: {
    tokenReceived(state, { payload }: PayloadAction<string>) {
      state.token = payload
    },
    signedOut(state) {
      state.token = null
    },
  },
})

export const { tokenReceived, signedOut } = session.actions
export const sessionReducer = session.reducer
