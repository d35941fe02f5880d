/** The exports of `msw/node`. */
export * from '@understudy/engine/node'
