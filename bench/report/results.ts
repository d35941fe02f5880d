import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'

import type { MeasuredRow } from '../measure/row.ts'

/** A row with when and where it was measured. */
export interface KeptRow extends MeasuredRow {
  /** The day, in UTC. */
  readonly date: string
  readonly machine: string
}

const file = join(import.meta.dirname, '../results.json')

/** The rows that were measured, the last time each, in the order in which they were first. */
export async function readResults(): Promise<KeptRow[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as KeptRow[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Keeps a row in place of an earlier one of its name. */
export async function keepResults(row: MeasuredRow): Promise<void> {
  const rows = await readResults()
  const kept: KeptRow = { ...row, date: new Date().toISOString().slice(0, 10), machine: describeMachine() }
  const place = rows.findIndex(({ id }) => id === row.id)
  rows.splice(place === -1 ? rows.length : place, place === -1 ? 0 : 1, kept)
  await writeFile(file, `${JSON.stringify(rows, roundNumbers, 2)}\n`)
}

function roundNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value
}

function describeMachine(): string {
  return `${cpus().length} cores, ${process.platform} ${process.arch}, Node ${process.version.slice(1)}`
}
