/** Everything that `msw` exports, whichever of its subpaths it comes from. */
export * from '@understudy/engine'
export * from '@understudy/engine/msw'
