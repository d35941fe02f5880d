/** The exports of `msw/native`. */
export * from '@understudy/engine/native'
