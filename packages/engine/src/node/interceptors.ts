/** What watches sockets, as far as it is used here. */
export { BatchInterceptor, RequestController } from '@mswjs/interceptors'
export { HttpRequestInterceptor } from '@mswjs/interceptors/http'
export { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/node'
