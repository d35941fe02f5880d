// The plugin's loader replaces this module with the gate and the call of the bootstrap module.
throw new Error('Failed to start mocking: the loader of @understudy/webpack-plugin was not applied.')
