export const stateStyle = `
.us-state { padding-bottom: 0.625rem; border-bottom: 1px solid var(--us-border); }
.us-state-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.5rem; padding: 0.375rem 0.5rem 0.25rem 0.75rem; font-size: 0.75rem; }
.us-panel .us-state-name { font: 600 0.8125rem/1.5 var(--us-mono); overflow-wrap: anywhere; }
.us-state-tools { display: flex; gap: 0.125rem; margin-inline-start: auto; }
.us-state-text { padding: 0 0.75rem !important; font-size: 0.75rem; }
.us-state-editor { display: grid; gap: 0.375rem; }
`
