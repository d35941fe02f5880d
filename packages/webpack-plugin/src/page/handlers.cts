// The plugin's loader puts in the place of this what loads the handlers module, and swaps it as it is edited.
throw new Error('Failed to start mocking: the loader of @understudy/webpack-plugin was not applied.')
