#!/usr/bin/env node
/** `msw init <folder>…`: copies the service worker, so that scripts which ran MSW's command still do. */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const [command, ...rest] = process.argv.slice(2)
const folders = rest.filter((argument) => !argument.startsWith('-'))
if (command !== 'init' || folders.length === 0) {
  console.error('Failed to run msw: the only command is "init". Run: msw init <folder for public files>')
  process.exit(1)
}
const worker = fileURLToPath(new URL('../dist/mockServiceWorker.js', import.meta.url))
for (const folder of folders) {
  const target = resolve(folder)
  mkdirSync(target, { recursive: true })
  copyFileSync(worker, join(target, 'mockServiceWorker.js'))
  console.log(`Copied the service worker to ${join(folder, 'mockServiceWorker.js')}.`)
}
