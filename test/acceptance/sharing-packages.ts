/** Returns the files of an installed package whose default export is a text. */
const installed = (name: string, code: string): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', type: 'module', main: 'index.js' }),
  [`node_modules/${name}/index.js`]: code,
})

/** The files of two packages that share a third one. */
export const sharingPackages: Record<string, string> = {
  ...installed('shared', "export default 'shared'"),
  ...installed('of-the-app', "export { default } from 'shared'"),
  ...installed('of-the-handlers', "import shared from 'shared'\nexport default `the mock, ${shared}`"),
}
