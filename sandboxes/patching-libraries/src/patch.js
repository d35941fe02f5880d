const libraries = import.meta.glob('./libraries/*.js')

/** Loads the library that the URL names. */
export async function patch(name) {
  const { install } = await libraries[`./libraries/${name}.js`]()
  await install()
}
