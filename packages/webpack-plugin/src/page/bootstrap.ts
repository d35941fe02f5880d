// The plugin's loader puts the bootstrap module in the place of this: it brings the handlers, and opens the gate.
throw new Error('Failed to start mocking: the loader of @understudy/webpack-plugin was not applied.')
export {}
