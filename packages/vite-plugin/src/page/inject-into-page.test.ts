import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, expect, test } from 'vitest'

import { injectIntoPage } from './inject-into-page.ts'

const endings: (() => void)[] = []

afterEach(() => {
  for (const end of endings.splice(0)) end()
})

/** The text that is inserted into pages. */
const marker = Buffer.from('[é]').toString('latin1')

/** Serves with a listener, and inserts the marker into pages. */
async function serve(listener: RequestListener): Promise<Response> {
  const server = createServer((request, response) => {
    injectIntoPage(response, ({ text, head }) => `${text.slice(0, head)}${marker}${text.slice(head)}`)
    listener(request, response)
  })
  endings.push(() => server.close())
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

function page(send: (response: ServerResponse) => void, type = 'text/html; charset=utf-8'): Promise<string> {
  return serve((_request, response) => {
    response.setHeader('Content-Type', type)
    send(response)
  }).then((response) => response.text())
}

test.each([
  [
    '<!doctype html><html lang="en"><head><title>ü</title></head>',
    '<!doctype html><html lang="en"><head>[é]<title>ü</title></head>',
  ],
  [
    '<!-- <head> -->\n<!DOCTYPE html>\n<HTML>\n<HEAD a="b">',
    '<!-- <head> -->\n<!DOCTYPE html>\n<HTML>\n<HEAD a="b">[é]',
  ],
  [
    '<html class="[&>svg]:hidden"><head prefix=\'a > b\' data-x=">"><title>x</title></head>',
    '<html class="[&>svg]:hidden"><head prefix=\'a > b\' data-x=">">[é]<title>x</title></head>',
  ],
  ['<html lang=en><head><!-- " -->', '<html lang=en><head>[é]<!-- " -->'],
  ['<!doctype html><title>x</title>', '<!doctype html>[é]<title>x</title>'],
  ['<html><body><header></header>', '<html>[é]<body><header></header>'],
  ['<header>x</header>', '[é]<header>x</header>'],
  ['plain', '[é]plain'],
  [
    '<?xml version="1.0"?>\n<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head>',
    '<?xml version="1.0"?>\n<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head>[é]<title>x</title></head>',
  ],
  ['', '[é]'],
])('inserts the text before all elements that could load files: %j', async (sent, received) => {
  expect(await page((response) => response.end(sent))).toBe(received)
})

test.each([1, 2, 3, 7, 100])('finds the head in chunks of %d bytes', async (size) => {
  const sent = Buffer.from(
    '<!-- > --><!doctype html><html class="[&>a]:x"><head class="ä>"><title>日本</title></head><body>x</body></html>',
  )
  const text = await page((response) => {
    for (let at = 0; at < sent.length; at += size) response.write(sent.subarray(at, at + size))
    response.end()
  })
  expect(text).toBe(sent.toString().replace('"ä>">', '"ä>">[é]'))
})

test('a streamed page is forwarded as it arrives', async () => {
  let goOn = (): void => {}
  const response = await serve((_request, answer) => {
    answer.writeHead(200, { 'Content-Type': 'text/html' })
    answer.write('<html><head>')
    goOn = () => answer.end('</head>')
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('<html><head>[é]')
  goOn()
  expect((await reader?.read())?.value).toBe('</head>')
})

test.each<[string, (response: ServerResponse) => void]>([
  [
    'an object',
    (response) => response.writeHead(201, 'Made', { 'content-type': 'text/html', 'content-length': 6, etag: 'x' }),
  ],
  [
    'names and values',
    (response) => response.writeHead(201, 'Made', ['Content-Type', 'text/html', 'Content-Length', '6', 'ETag', 'x']),
  ],
])('reads the headers of writeHead as %s, and removes outdated ones', async (_name, writeHead) => {
  const response = await serve((_request, answer) => {
    writeHead(answer)
    answer.end('<head>')
  })
  expect([response.status, response.statusText, response.headers.get('etag')]).toEqual([201, 'Made', null])
  expect(await response.text()).toBe('<head>[é]')
})

test.each<[string, string, Record<string, string>?]>([
  ['of another type', 'text/plain'],
  ['that is compressed', 'text/html', { 'Content-Encoding': 'zstd-or-so' }],
  ['that is XML, which a script in the syntax of HTML would break', 'application/xhtml+xml'],
  ['that is saved to a file', 'text/html', { 'Content-Disposition': 'Attachment; filename="report.html"' }],
])('leaves a response alone %s', async (_name, type, headers = {}) => {
  const response = await serve((_request, answer) => {
    answer.setHeader('Content-Type', type)
    answer.setHeaders(new Map(Object.entries(headers)))
    answer.setHeader('ETag', 'x')
    answer.end('<head>')
  })
  expect([await response.text(), response.headers.get('etag')]).toEqual(['<head>', 'x'])
})

test.each([
  ['UTF-16, little endian', Buffer.from('\uFEFF<html>', 'utf16le')],
  ['UTF-16, big endian', Buffer.from('\uFEFF<html>', 'utf16le').swap16()],
])('leaves a page in %s alone: a text in ASCII would be garbage in it', async (_name, sent) => {
  const response = await serve((_request, answer) => {
    answer.setHeader('Content-Type', 'text/html')
    answer.end(sent)
  })
  expect(Buffer.from(await response.arrayBuffer())).toEqual(sent)
})

test('calls the callback when a held chunk was written', async () => {
  const text = await page((response) => {
    response.write('<!doctype', () => response.end(' html>', () => {}))
  })
  expect(text).toBe('<!doctype html>[é]')
})
