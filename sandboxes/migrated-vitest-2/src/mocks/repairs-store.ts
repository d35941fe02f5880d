import type { Repair } from '../api/repairs'

let repairs = new Map<string, Repair>()
let nextId = 1

export function resetRepairs(): void {
  repairs = new Map()
  nextId = 1
  createRepair('Red tandem')
  createRepair('Cargo bike', 'done')
}

export function createRepair(bike: string, status: Repair['status'] = 'waiting'): Repair {
  const repair = { id: String(nextId++), bike, status }
  repairs.set(repair.id, repair)
  return repair
}

export const findRepairs = (status: string | null): Repair[] =>
  [...repairs.values()].filter((repair) => !status || repair.status === status)

export function updateRepair(id: string, changes: Partial<Repair>): Repair | undefined {
  const repair = repairs.get(id)
  if (!repair) return undefined
  const updated = { ...repair, ...changes }
  repairs.set(id, updated)
  return updated
}

export const deleteRepair = (id: string): boolean => repairs.delete(id)

resetRepairs()
