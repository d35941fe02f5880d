import './styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { seasonRequest } from './api/season.ts'
import { App } from './App.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('Failed to start: index.html has no element with the id "root".')

createRoot(root).render(
  <StrictMode>
    <App seasonRequest={seasonRequest} />
  </StrictMode>,
)
