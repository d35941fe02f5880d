/** The style of the page around the panel. */
export const pageStyle = `
.us-page { display: flex; flex-direction: column; height: 100%; }
.us-page-panel { flex: 1; min-height: 0; }
.us-page-panel > .us-page-panel { height: 100%; }
.us-page-panel[hidden] { display: none; }
.us-page-bar.us-panel {
  flex: none; flex-direction: row; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; height: auto; min-height: 2.25rem;
  padding: 0.125rem 0.75rem; border-bottom: 1px solid var(--us-border);
}
.us-page-bar.us-panel[hidden] { display: none; }
.us-page-title { margin: 0; font-size: 0.875rem; font-weight: 700; letter-spacing: -0.01em; }
.us-page-name { min-width: 0; overflow-wrap: anywhere; font-size: 0.75rem; }
.us-page-networks { display: flex; gap: 2px; padding: 2px; border-radius: 6px; background: var(--us-surface); }
.us-page-choice {
  min-height: 1.5rem; padding: 0 0.5rem; border: 1px solid transparent; border-radius: 4px; background: none; color: var(--us-muted);
  font: inherit; font-size: 0.75rem; white-space: nowrap; cursor: pointer;
}
.us-page-choice:hover { color: var(--us-text); }
.us-page-choice[aria-pressed=true] { border-color: var(--us-border); background: var(--us-background); color: var(--us-text); font-weight: 600; }
@media (forced-colors: active) { .us-page-choice[aria-pressed=true] { border-color: Highlight; } }
.us-page a { color: var(--us-accent); }
`
