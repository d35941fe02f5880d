// The plugin's loader replaces this module with code that links the panel.
throw new Error('Failed to link the panel: the loader of @understudy/webpack-plugin was not applied.')
