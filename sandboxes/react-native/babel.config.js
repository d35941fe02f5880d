/** `default` compiles classes, as for every version of React Native before 0.84; `hermes-stable` keeps them. */
module.exports = (api) => {
  api.cache.forever()
  return {
    presets: [['@react-native/babel-preset', { unstable_transformProfile: process.env.TRANSFORM_PROFILE }]],
  }
}
