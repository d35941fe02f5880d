import { expect, test } from 'vitest'

import { Network } from '../../core/network/network.ts'
import { http } from '../../http/http.ts'
import { watchDocuments } from './watch-documents.ts'

test.each([
  ['a button', '<button>Open</button>', 'button'],
  ['a link without "download"', '<a href="#">Open</a>', 'a'],
  ['a text within', '<p><b>Open</b></p>', 'b'],
  ['a link of SVG', '<svg><a href="#" download=""><text>Open</text></a></svg>', 'text'],
])('a click on %s raises no error', (_what, html, selector) => {
  const errors: string[] = []
  const onError = (event: ErrorEvent): void => {
    errors.push(event.message)
    event.preventDefault()
  }
  addEventListener('error', onError)
  const end = watchDocuments(new Network([http.get('/export.csv', () => undefined)]))
  const root = document.createElement('div')
  root.innerHTML = html
  document.body.append(root)
  root.querySelector(selector)?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  document.dispatchEvent(new MouseEvent('click'))
  root.remove()
  end()
  removeEventListener('error', onError)
  expect(errors).toEqual([])
})
