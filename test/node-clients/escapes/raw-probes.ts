/** The pieces that a socket writes, each some milliseconds after the previous one. */
export type RawProbe = readonly string[]

const host = 'Host: odd.test\r\n'
const close = 'Connection: close\r\n'
const get = (path: string, headers: string = close): string => `GET ${path} HTTP/1.1\r\n${host}${headers}\r\n`
const post = (headers: string, body: string): string => `POST /odd HTTP/1.1\r\n${host}${close}${headers}\r\n${body}`

/** Bytes on a plain socket. A real Node server gives the expected answer. */
export const rawProbes: Record<string, RawProbe> = {
  'a plain request': [get('/odd')],
  'a request line in two pieces': ['GE', 'T /odd HTTP/1.1\r\n' + host + close + '\r\n'],
  'a request line in three pieces': ['GET', ' /odd HT', `TP/1.1\r\n${host}${close}\r\n`],
  'a request byte by byte': get('/odd').split(''),
  'a leading CRLF': ['\r\n' + get('/odd')],
  'several leading CRLFs': ['\r\n\r\n\r\n' + get('/odd')],
  'a leading LF': ['\n' + get('/odd')],
  'a leading CRLF in a separate piece': ['\r\n', get('/odd')],
  'two equal Content-Lengths': [post('Content-Length: 4\r\nContent-Length: 4\r\n', 'text')],
  'two unequal Content-Lengths': [post('Content-Length: 4\r\nContent-Length: 5\r\n', 'text!')],
  'a list of Content-Lengths': [post('Content-Length: 4, 4\r\n', 'text')],
  'Content-Length with chunked': [
    post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', '4\r\ntext\r\n0\r\n\r\n'),
  ],
  'chunked with Content-Length': [
    post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', '4\r\ntext\r\n0\r\n\r\n'),
  ],
  'a negative Content-Length': [post('Content-Length: -4\r\n', 'text')],
  'a Content-Length of hex': [post('Content-Length: 0x4\r\n', 'text')],
  'a huge Content-Length': [post('Content-Length: 99999999999999999999\r\n', 'text')],
  'a Content-Length that is too small': [`POST /odd HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\ntext and more\r\n\r\n`],
  'an unknown method': [`FROBNICATE /odd HTTP/1.1\r\n${host}${close}\r\n`],
  'a method of lower case': [`get /odd HTTP/1.1\r\n${host}${close}\r\n`],
  'a method with odd characters': [`GE!T /odd HTTP/1.1\r\n${host}${close}\r\n`],
  'an unknown version': [`GET /odd HTTP/9.9\r\n${host}${close}\r\n`],
  'HTTP/1.0': ['GET /odd HTTP/1.0\r\n\r\n'],
  'HTTP/1.0 that keeps the connection': [
    `GET /odd HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`,
    'GET /next HTTP/1.0\r\n\r\n',
  ],
  'HTTP/0.9': ['GET /odd\r\n'],
  'no Host': [`GET /odd HTTP/1.1\r\n${close}\r\n`],
  'two Hosts': [`GET /odd HTTP/1.1\r\n${host}${host}${close}\r\n`],
  'an absolute target': [`GET http://odd.test/odd?a=1 HTTP/1.1\r\n${host}${close}\r\n`],
  'a target of an asterisk': [`OPTIONS * HTTP/1.1\r\n${host}${close}\r\n`],
  'a target with a fragment': [get('/odd#part')],
  'a target with bytes above ASCII': [get('/gr\u00fc\u00df')],
  'a target with a space': [get('/o dd')],
  'an empty target': [`GET  HTTP/1.1\r\n${host}${close}\r\n`],
  'a target without a slash': [get('odd')],
  'a header that is folded': [get('/odd', `X-Folded: a\r\n b\r\n${close}`)],
  'a header without a colon': [get('/odd', `X-Odd\r\n${close}`)],
  'a header with a space before its colon': [get('/odd', `X-Odd : 1\r\n${close}`)],
  'a header without a name': [get('/odd', `: 1\r\n${close}`)],
  'a header with a NUL': [get('/odd', `X-Odd: a\0b\r\n${close}`)],
  'headers that end by LF': [`GET /odd HTTP/1.1\nHost: odd.test\nConnection: close\n\n`],
  'headers in pieces': [`GET /odd HTTP/1.1\r\nHo`, `st: odd.test\r\nConn`, 'ection: close\r\n', '\r\n'],
  chunks: [post('Transfer-Encoding: chunked\r\n', '2\r\nte\r\n2\r\nxt\r\n0\r\n\r\n')],
  'chunks in pieces': [post('Transfer-Encoding: chunked\r\n', '2\r\nt'), 'e\r\n2\r', '\nxt\r\n0', '\r\n\r\n'],
  'chunks with extensions': [post('Transfer-Encoding: chunked\r\n', '4;a=b\r\ntext\r\n0\r\n\r\n')],
  'chunks with trailers': [
    post('Trailer: X-End\r\nTransfer-Encoding: chunked\r\n', '4\r\ntext\r\n0\r\nX-End: 1\r\n\r\n'),
  ],
  'a chunk of a wrong size': [post('Transfer-Encoding: chunked\r\n', 'zz\r\ntext\r\n0\r\n\r\n')],
  'an unknown Transfer-Encoding': [post('Transfer-Encoding: odd\r\n', 'text')],
  'Transfer-Encoding: gzip, chunked': [post('Transfer-Encoding: gzip, chunked\r\n', '4\r\ntext\r\n0\r\n\r\n')],
  'two requests at once': [get('/a', '') + get('/b')],
  'five requests at once': [get('/a', '') + get('/b', '') + get('/c', '') + get('/d', '') + get('/e')],
  'a POST and a GET at once': [`POST /a HTTP/1.1\r\n${host}Content-Length: 4\r\n\r\ntext${get('/b')}`],
  'a request after one that closes': [get('/a') + get('/b')],
  'a request and garbage': [get('/a', '') + '\0\x01garbage'],
  'Upgrade: h2c, then another request': [
    get('/a', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n'),
    get('/b'),
  ],
  'Upgrade of an unknown protocol': [get('/a', 'Connection: Upgrade\r\nUpgrade: odd\r\n'), get('/b')],
  'Expect: 100-continue': [
    `POST /odd HTTP/1.1\r\n${host}${close}Expect: 100-continue\r\nContent-Length: 4\r\n\r\n`,
    'text',
  ],
  'Expect, with the body at once': [post('Expect: 100-continue\r\nContent-Length: 4\r\n', 'text')],
  'Proxy-Connection: close': [get('/odd', 'Proxy-Connection: close\r\n'), get('/b')],
  'Connection: TE, close': [get('/odd', 'Connection: TE, close\r\nTE: trailers\r\n')],
  'Connection: close, keep-alive': [get('/odd', 'Connection: close, keep-alive\r\n')],
  'a body that a GET brings': [`GET /odd HTTP/1.1\r\n${host}${close}Content-Length: 4\r\n\r\ntext`],
  'a body that ends early': [post('Content-Length: 40\r\n', 'text')],
  'two Transfer-Encodings': [
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '4\r\ntext\r\n0\r\n\r\n'),
  ],
  'a Content-Length with a plus sign': [post('Content-Length: +4\r\n', 'text')],
  'headers of 60 KB': [get('/odd', `X-Long: ${'x'.repeat(60_000)}\r\n${close}`)],
  TRACE: [`TRACE /odd HTTP/1.1\r\n${host}${close}\r\n`],
}
