import { expect, test } from 'vitest'

import { readGraphqlErrors } from './graphql-errors.ts'

test.each<[string, string[]]>([
  ['{"data":{"user":null},"errors":[{"message":"Not allowed"},{"message":"Gone"}]}', ['Not allowed', 'Gone']],
  ['[{"data":{}},{"errors":[{"message":"Second"}]}]', ['Second']],
  ['{"errors":[{}, "text", null, {"message":1}]}', Array.from({ length: 4 }, () => 'Error without a message')],
  ['{"errors":"text"}', ['Error without a message']],
  ['{"data":{"errors":[{"message":"A field of that name"}]}}', []],
  ['{"data":{}}', []],
  ['{"errors":', []],
  ['null "errors"', []],
  ['"errors"', []],
])('the errors of %s are %j', (text, errors) => {
  expect(readGraphqlErrors(text)).toEqual(errors)
})

test('errors and their messages have limits', () => {
  const errors = Array.from({ length: 50 }, () => ({ message: 'a'.repeat(1000) }))
  const read = readGraphqlErrors(JSON.stringify({ errors }))
  expect(read).toHaveLength(10)
  expect(read[0]).toHaveLength(300)
})
