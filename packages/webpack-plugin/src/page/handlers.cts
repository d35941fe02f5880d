// The plugin's loader replaces this module with code that loads the handlers module, and takes its hot updates.
throw new Error('Failed to start mocking: the loader of @understudy/webpack-plugin was not applied.')
