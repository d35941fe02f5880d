/**
 * Returns the reason phrase that servers usually send with a status. The texts are those of Node's `http.STATUS_CODES`
 * for registered statuses.
 *
 * @see https://www.iana.org/assignments/http-status-codes/http-status-codes.xhtml
 */
export function statusTextOf(status: number): string {
  return (phrases ??= readPhrases())[status] ?? ''
}

/** By status. */
let phrases: string[] | undefined

/** A phrase without a status has the one after the status of the previous phrase. */
const registered =
  '200 OK|Created|Accepted|Non-Authoritative Information|No Content|Reset Content|Partial Content|Multi-Status|' +
  'Already Reported|226 IM Used|300 Multiple Choices|Moved Permanently|Found|See Other|Not Modified|Use Proxy|' +
  '307 Temporary Redirect|Permanent Redirect|400 Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|' +
  'Method Not Allowed|Not Acceptable|Proxy Authentication Required|Request Timeout|Conflict|Gone|Length Required|' +
  'Precondition Failed|Payload Too Large|URI Too Long|Unsupported Media Type|Range Not Satisfiable|' +
  "Expectation Failed|I'm a Teapot|421 Misdirected Request|Unprocessable Entity|Locked|Failed Dependency|" +
  'Too Early|Upgrade Required|428 Precondition Required|Too Many Requests|431 Request Header Fields Too Large|' +
  '451 Unavailable For Legal Reasons|500 Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|' +
  'Gateway Timeout|HTTP Version Not Supported|Variant Also Negotiates|Insufficient Storage|Loop Detected|' +
  '510 Not Extended|Network Authentication Required'

function readPhrases(): string[] {
  const read: string[] = []
  let status = 0
  for (const entry of registered.split('|')) {
    status = Number.parseInt(entry, 10) || status + 1
    read[status] = entry.replace(/^\d+ /, '')
  }
  return read
}
