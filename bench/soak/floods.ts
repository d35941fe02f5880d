/**
 * Runs the long forms of the floods and prints a line for each. Ends with an error if a request is lost, escapes or
 * gets the answer of another one, or if a heap grows by more than a hundred bytes for each request.
 *
 *     node --expose-gc floods.ts [node | chromium | firefox | vite] [part of a scenario's name]
 */
import { launchBrowser } from '../../test/acceptance/browser.ts'
import { findFirefox } from '../../test/find-firefox.ts'
import { floodEdits } from '../../test/floods/edits.ts'
import { launchFloodChromium, launchFloodFirefox, type FloodBrowser } from '../../test/floods/flood-browser.ts'
import { floodNode, nodeFloods } from '../../test/floods/node-floods.ts'
import { findFaults, isPossible, scenarios, type FloodResult, type Scenario } from '../../test/floods/scenarios.ts'
import { serveFloods } from '../../test/floods/serve-floods.ts'

const [only, part = ''] = process.argv.slice(2)
const heapLimit = 100
const edits = 200

const server = await serveFloods()
if (isWanted('node')) await floodInNode()
if (isWanted('chromium')) await floodBrowser('Chromium', launchFloodChromium)
const firefox = findFirefox()
if (isWanted('firefox') && firefox !== undefined)
  await floodBrowser('Firefox', ({ needs }) => launchFloodFirefox(needs === 'ended idle workers'))
if (isWanted('vite')) await floodVite()
await server.close()

function isWanted(place: string): boolean {
  return only === undefined || only === place
}

async function floodInNode(): Promise<void> {
  for (const { name, load, short, long } of nodeFloods.filter(hasName)) {
    await report('Node', { name, short, long }, async () => {
      await floodNode(load, server, short)
      const before = readHeap()
      const tally = await floodNode(load, server, long)
      const growth = (readHeap() - before) / tally.made
      // Heap growth is not measured for few or large exchanges, because they are not representative.
      return { tally, ...(load === 'requests' && { heapGrowth: { process: Math.round(growth * 10) / 10 } }) }
    })
  }
}

function readHeap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

async function floodBrowser(place: string, launch: (scenario: Scenario) => Promise<FloodBrowser>): Promise<void> {
  for (const scenario of scenarios.filter(hasName)) {
    // Use a separate browser for each, so that remains of one do not disturb the next.
    const browser = await launch(scenario)
    if (isPossible(scenario, browser)) {
      await report(place, scenario, () => scenario.run(browser, server, scenario.long))
    }
    await browser.close()
  }
}

async function floodVite(): Promise<void> {
  const browser = await launchBrowser()
  const parameters = { edits }
  await report('Vite', { name: 'edits under load', short: parameters, long: parameters }, async () => {
    const { tally, escaped, applied, loads } = await floodEdits(browser, edits)
    return { tally, figures: { 'escaped to the API': escaped.length, applied, loads } }
  })
  await browser.close()
}

function hasName({ name }: { readonly name: string }): boolean {
  return name.includes(part)
}

async function report(
  place: string,
  scenario: Pick<Scenario, 'name' | 'short' | 'long' | 'mayBreak'>,
  run: () => Promise<FloodResult>,
): Promise<void> {
  server.forget()
  const start = Date.now()
  const { tally, figures = {}, heapGrowth = {} } = await run()
  const { escaped, ...faults } = findFaults(scenario, tally, server)
  const { made, answered, lost, broken, crossed, reasons } = tally
  const isFaulty = Object.values(faults).some((count) => count > 0) || escaped.length > 0
  const isGrowing = Object.values(heapGrowth).some((bytes) => bytes > heapLimit)
  const isEscaping = (figures['escaped to the API'] ?? 0) > 0
  if (isFaulty || isGrowing || isEscaping) process.exitCode = 1
  const numbers = { made, answered, lost, broken, crossed, escaped: server.escaped.length, ...figures }
  const growth = Object.entries(heapGrowth).map(([name, bytes]) => `${bytes} bytes of the ${name} for each request`)
  const seconds = `${Math.round((Date.now() - start) / 1000)} s`
  const parts = [...Object.entries(numbers).map(([name, value]) => `${name} ${value}`), ...growth, seconds]
  console.log(`${place}, ${scenario.name}, ${JSON.stringify(scenario.long)}: ${parts.join(', ')}`)
  for (const reason of [...reasons, ...escaped]) console.log(`  ${reason}`)
}
