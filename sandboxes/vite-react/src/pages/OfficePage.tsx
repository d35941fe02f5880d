import type { ReactElement } from 'react'

import { PrinterPanel } from '../components/PrinterPanel.tsx'
import { ReviewsPanel } from '../components/ReviewsPanel.tsx'
import { SalesPanel } from '../components/SalesPanel.tsx'

import './OfficePage.css'

export function OfficePage(): ReactElement {
  return (
    <div className="office-page">
      <title>Office · The Ghostlight</title>
      <h1>Office</h1>
      <div className="panels">
        <SalesPanel />
        <ReviewsPanel />
        <PrinterPanel />
      </div>
    </div>
  )
}
