// The plugin's loader replaces this module with the bootstrap module, which loads the handlers and opens the gate.
throw new Error(
  'Failed to start mocking: the loader of @understudy/webpack-plugin was not applied. ' +
    'Add new UnderstudyWebpackPlugin() to the plugins of the configuration. (US0804)',
)
export {}
