import { Component } from 'react'
import type { ReactNode } from 'react'

interface FailureBoundaryProps {
  fallback: ReactNode
  children: ReactNode
}

/** Shows the fallback if a component inside fails to load or to render. */
export class FailureBoundary extends Component<FailureBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
