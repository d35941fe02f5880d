import { render } from './widget.js'

await render(document.querySelector('main'))
