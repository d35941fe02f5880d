import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { Timetable } from './timetable.tsx'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Timetable />
    </StrictMode>,
  )
}
