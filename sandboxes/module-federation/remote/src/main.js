import { render } from './widget.js'

render(document.querySelector('main'))
