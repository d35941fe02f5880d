/** All exports of `msw` and of its subpaths. */
export * from '@understudy/engine'
export * from '@understudy/engine/msw'
