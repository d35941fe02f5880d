/** What `msw/node` exports. */
export * from '@understudy/engine/node'
