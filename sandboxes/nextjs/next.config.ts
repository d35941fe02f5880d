import { withUnderstudy } from '@understudy/webpack-plugin/next'
import type { NextConfig } from 'next'

const api = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:4999'

const config: NextConfig = {
  rewrites: async () => [{ source: '/api/:path*', destination: `${api}/api/:path*` }],
}

export default withUnderstudy(config)
