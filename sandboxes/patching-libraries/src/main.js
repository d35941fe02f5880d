import { ask } from './ask.js'
import { patch } from './patch.js'

const [name, when] = location.hash.slice(1).split(',')
if (when === 'later') await (await fetch('/api/user')).json()
await patch(name)
const answers = ask()
globalThis.isPatched = true
dispatchEvent(new Event('patched'))
globalThis.answers = await answers
