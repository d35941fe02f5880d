import './ferry.css'
import { createRoot } from 'react-dom/client'

import { App } from './App.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('Failed to start: index.html has no element with the id "root".')
createRoot(root).render(<App />)
