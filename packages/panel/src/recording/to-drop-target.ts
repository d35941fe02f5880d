import type { DragEvent } from 'react'

type DropTarget = Record<'onDragOver' | 'onDrop', (event: DragEvent) => void>

/** Returns the properties of an element on which files can be dropped. The browser handles other dropped data. */
export function toDropTarget(open: (file: File) => void): DropTarget {
  return {
    onDragOver(event) {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    },
    onDrop(event) {
      const [file] = event.dataTransfer.files
      if (!file) return
      event.preventDefault()
      open(file)
    },
  }
}
