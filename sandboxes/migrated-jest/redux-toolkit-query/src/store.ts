import { combineReducers, configureStore } from '@reduxjs/toolkit'

import { catalogueApi } from './catalogue-api'
import { sessionReducer } from './session'

const reducer = combineReducers({ session: sessionReducer, [catalogueApi.reducerPath]: catalogueApi.reducer })

export type RootState = ReturnType<typeof reducer>

export const createStore = () =>
  configureStore({ reducer, middleware: (defaults) => defaults().concat(catalogueApi.middleware) })

export type Store = ReturnType<typeof createStore>
