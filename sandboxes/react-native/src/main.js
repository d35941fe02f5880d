require('react-native/setup-env')
require('fast-text-encoding')
require('react-native-url-polyfill/auto')
require('./scenario')
