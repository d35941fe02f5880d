import { greeting } from './greeting'

void greeting.then((text) => postMessage(`${text} in a classic script`))
