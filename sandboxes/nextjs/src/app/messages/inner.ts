import { greeting } from './greeting'

void greeting.then((text) => postMessage(`${text} in a nested web worker`))
