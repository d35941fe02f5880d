import * as Sentry from '@sentry/browser'

export function install() {
  Sentry.init({
    dsn: 'https://key@sentry.example.com/1',
    tunnel: '/sentry',
    integrations: [Sentry.browserTracingIntegration()],
    tracesSampleRate: 1,
    beforeSend: () => null,
  })
}
