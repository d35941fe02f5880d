export const bodyStyle = `
.us-body { display: grid; gap: 0.25rem; padding: 0 0.75rem; min-width: 0; }
.us-body-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem; min-height: 1.625rem; font-size: 0.75rem; }
.us-body-bar > :first-child { flex: 1; overflow-wrap: anywhere; }
.us-body-search { display: flex; align-items: center; gap: 0.5rem; font-size: 0.75rem; }
.us-image {
  max-width: 100%; max-height: 20rem; justify-self: start; border: 1px solid var(--us-border);
  background: repeating-conic-gradient(var(--us-surface) 0 25%, var(--us-background) 0 50%) 0 0 / 16px 16px;
}
.us-tree { font: 0.75rem/1.55 var(--us-mono); overflow-wrap: anywhere; }
.us-tree summary { list-style: none; cursor: default; }
.us-tree summary::-webkit-details-marker { display: none; }
.us-tree summary::before { content: '▸'; display: inline-block; width: 0.875rem; color: var(--us-muted); }
.us-tree details[open] > summary::before { content: '▾'; }
.us-tree summary:hover { background: var(--us-surface); }
.us-tree-members { padding-inline-start: 0.875rem; margin-inline-start: 0.3125rem; border-inline-start: 1px solid var(--us-border); }
.us-tree-leaf { padding-inline-start: 0.875rem; }
.us-tree details, .us-tree-members > .us-link { padding-inline-start: 0; }
.us-tree-key { color: var(--us-muted); }
.us-tree-preview { color: var(--us-muted); }
.us-tree [data-type] { color: var(--us-accent); }
.us-tree [data-type=string] { color: var(--us-positive); }
`
