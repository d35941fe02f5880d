import * as React from 'react'

import type { TabsProps } from './kit.ts'

export function Tabs({ ariaLabel, tabs, selected, onSelect, children, tools }: TabsProps): React.ReactElement {
  const id = React.useId()
  const list = React.useRef<HTMLDivElement>(null)

  function move(event: React.KeyboardEvent): void {
    const index = tabs.findIndex((tab) => tab.id === selected)
    const target = {
      ArrowRight: (index + 1) % tabs.length,
      ArrowLeft: (index - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    const tab = target === undefined ? undefined : tabs[target]
    if (!tab || target === undefined) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target]?.focus()
  }

  return (
    <div className="us-tabs">
      <div className="us-tabs-bar">
        <div ref={list} className="us-tabs-list" role="tablist" aria-label={ariaLabel} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`${id}-${tab.id}`}
              className="us-tab"
              aria-selected={tab.id === selected}
              aria-controls={`${id}-panel`}
              tabIndex={tab.id === selected ? 0 : -1}
              onClick={() => onSelect(tab.id)}
            >
              {tab.title}
              {tab.count !== undefined && (
                <span className="us-count" data-tone={tab.tone}>
                  {tab.count}
                </span>
              )}
            </button>
          ))}
        </div>
        {tools !== undefined && <div className="us-tabs-tools">{tools}</div>}
      </div>
      <div id={`${id}-panel`} className="us-tab-content" role="tabpanel" aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </div>
  )
}
