// The plugin's loader puts the gate in the place of this, and the call of the bootstrap module.
throw new Error('Failed to start mocking: the loader of @understudy/webpack-plugin was not applied.')
