import { clampSize, largest, smallest, type DockState } from './dock-state.ts'

/** The distance by which an arrow key moves the edge, as a fraction of the window. */
const step = 0.05

/**
 * Lets the pointer and the arrow keys move an edge of the dock.
 *
 * @param resizer the separator at that edge
 * @param onSize called with the new size, a fraction of the window
 */
export function makeResizable(resizer: HTMLElement, read: () => DockState, onSize: (size: number) => void): void {
  const dock = resizer.parentElement
  resizer.ariaValueMin = `${smallest * 100}`
  resizer.ariaValueMax = `${largest * 100}`
  resizer.addEventListener('pointerdown', (down) => {
    down.preventDefault()
    resizer.setPointerCapture(down.pointerId)
    // Otherwise, the frame would get the pointer's events.
    dock?.classList.add('dragged')
  })
  resizer.addEventListener('pointermove', ({ clientX, clientY, pointerId }) => {
    if (!resizer.hasPointerCapture(pointerId)) return
    const isVertical = resizer.ariaOrientation === 'horizontal'
    onSize(clampSize(isVertical ? 1 - clientY / innerHeight : 1 - clientX / innerWidth))
  })
  resizer.addEventListener('lostpointercapture', () => dock?.classList.remove('dragged'))
  resizer.addEventListener('keydown', (event) => {
    const direction = { ArrowUp: 1, ArrowLeft: 1, ArrowDown: -1, ArrowRight: -1 }[event.key]
    if (direction === undefined) return
    event.preventDefault()
    onSize(clampSize(read().size + direction * step))
  })
}
