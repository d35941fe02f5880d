import { withUnderstudy } from '@understudy/webpack-plugin/next'

export default withUnderstudy({ reactStrictMode: true })
