import { expect, test } from 'vitest'

import { findSameCall } from './same-call.ts'

const written = `import { http, sse } from '@understudy/engine'

interface User {
  name: string
}

export const handlers = [
  http.get("/api/user", () => undefined),
  http.post('/api/user', () => undefined),
  sse('/api/news', () => undefined),
  http.get('/api/user', () => undefined),
  http.get(/regex/, () => undefined),
]
`

const made = `__webpack_require__.r(__webpack_exports__);
/* harmony import */ var _engine__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__("../engine/index.js");

const handlers = [
  _engine__WEBPACK_IMPORTED_MODULE_0__.http.get('/api/user', () => undefined),
  _engine__WEBPACK_IMPORTED_MODULE_0__.http.post('/api/user', () => undefined),
  (0,_engine__WEBPACK_IMPORTED_MODULE_0__.sse)('/api/news', () => undefined),
  _engine__WEBPACK_IMPORTED_MODULE_0__.http.get('/api/user', () => undefined),
  _engine__WEBPACK_IMPORTED_MODULE_0__.http.get(/regex/, () => undefined),
];
`

/** Returns the line that is found for a text, whose column is that of the name. */
const find = (line: number, text: string): number | undefined =>
  findSameCall(made, { line, column: (made.split('\n')[line - 1] ?? '').indexOf(text) + 1 }, written)

test.each([
  [5, 'get(', 8],
  [6, 'post(', 9],
  [7, 'sse)(', 10],
  [8, 'get(', 11],
])('finds the call of line %i', (line, text, expected) => {
  expect(find(line, text)).toBe(expected)
})

test('returns nothing if there is no such call', () => {
  expect(find(9, 'get(')).toBe(undefined)
  expect(findSameCall("http.get('/elsewhere')", { line: 1, column: 6 }, written)).toBe(undefined)
})

test('a text with many escapes whose end is on another line is read in linear time', () => {
  // An expression that backtracks would exceed the time-out of the test.
  const text = `const style = css(\`${String.raw`\2014 `.repeat(100)}\n\`)\n`
  const place = { line: 4, column: 1 }
  expect(findSameCall(`${text}\nhttp.get('/api/user')`, place, `${text}http.get('/api/user')`)).toBe(3)
})

test('the time for all calls of a long file is not quadratic', () => {
  const line = (index: number): string =>
    `  http.get('/items/${index}/:id', ({ params }) => HttpResponse.json({ id: params.id, tags: ['a', 'b'] })),\n`
  const text = Array.from({ length: 4000 }, (_, index) => line(index)).join('')
  for (let index = 1; index <= 1000; index += 1) {
    expect(findSameCall(text, { line: index, column: 8 }, text)).toBe(index)
  }
})
