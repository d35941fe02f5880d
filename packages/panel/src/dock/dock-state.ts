/** The stored state of the dock. */
export interface DockState {
  readonly isOpen: boolean
  readonly side: 'bottom' | 'right'
  /** Height at the bottom and width at the right, as fractions of the window. */
  readonly size: number
}

export const smallest = 0.15
export const largest = 0.9

const key = 'understudy:dock'
const initial: DockState = { isOpen: false, side: 'bottom', size: 0.45 }

/** Reads the state of the dock in this browser. */
export function readDockState(): DockState {
  try {
    const { isOpen, side, size } = (JSON.parse(localStorage.getItem(key) ?? '') ?? {}) as Record<string, unknown>
    return {
      isOpen: isOpen === true,
      side: side === 'right' ? 'right' : 'bottom',
      size: typeof size === 'number' ? clampSize(size) : initial.size,
    }
  } catch {
    // There is no stored state, or the browser blocks storage for this page.
    return initial
  }
}

export function keepDockState(state: DockState): void {
  try {
    localStorage.setItem(key, JSON.stringify(state))
  } catch {
    // The next page starts with a closed dock.
  }
}

export function clampSize(size: number): number {
  return Math.min(largest, Math.max(smallest, size))
}
