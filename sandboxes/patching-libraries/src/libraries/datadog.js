import { datadogRum } from '@datadog/browser-rum-slim'

export function install() {
  datadogRum.init({
    applicationId: 'application',
    clientToken: 'token',
    proxy: `${location.origin}/datadog`,
    allowedTracingUrls: [location.origin],
    sessionSampleRate: 100,
  })
}
