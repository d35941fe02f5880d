import * as React from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'

import { PartList } from './PartList.tsx'

const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'

function show(bytes: string): string {
  const base64 = btoa(bytes)
  const body = { type: 'multipart/form-data; boundary=b', size: bytes.length, text: null, base64, isComplete: true }
  return renderToString(React.createElement(PartList, { body }))
}

test('a part whose end is missing has a note', () => {
  expect(show(`${part}--b--`)).not.toContain('incomplete')
  expect(show(`${part}${part}`.slice(0, -2)).match(/incomplete/g)).toHaveLength(1)
})

test('a form with too many parts has a note', () => {
  expect(show(`${part.repeat(1000)}--b--`)).not.toContain('1,000')
  const shown = show(`${part.repeat(1001)}--b--`)
  expect(shown).toContain('Only the first 1,000 parts are shown.')
  expect(shown.match(/<dt>/g)).toHaveLength(1000)
})
