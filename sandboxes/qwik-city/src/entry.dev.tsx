import { render, type RenderOptions } from '@builder.io/qwik'

import Root from './root'

export default function start(options: RenderOptions) {
  return render(document, <Root />, options)
}
