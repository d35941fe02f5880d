/** Runs scripts in a context that has only the globals of Hermes: `node run-in-v8.mjs <names as JSON> <scripts>`. */
import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'

const [names, ...scripts] = process.argv.slice(2)
const kept = new Set(JSON.parse(names))
const context = createContext()
const globals = runInContext('globalThis', context)
for (const name of Object.getOwnPropertyNames(globals)) if (!kept.has(name)) delete globals[name]
Object.assign(globals, { print: console.log, setTimeout, clearTimeout })
for (const script of scripts) runInContext(readFileSync(script, 'utf8'), context, script)
