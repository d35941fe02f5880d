/** The style of the review. It is loaded together with the review. */
export const reviewStyle = `
.us-review { width: min(60rem, calc(100vw - 1rem)); }
.us-review-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; font-size: 0.75rem; }
.us-review-list { max-height: 55vh; overflow: auto; border-block: 1px solid var(--us-border); }
.us-review-row { display: flex; align-items: baseline; gap: 0 0.625rem; padding: 0 0.25rem; font-size: 0.75rem; }
.us-review-row + .us-review-row { border-top: 1px solid color-mix(in srgb, var(--us-border) 60%, transparent); }
.us-review-row:hover { background: var(--us-surface); }
.us-review-row > :not(label) { flex: none; white-space: nowrap; font-variant-numeric: tabular-nums; }
.us-review-label { display: flex; flex: 1; align-items: baseline; gap: 0.5rem; min-width: 0; padding: 0.25rem 0; }
.us-review-bar > .us-review-label { flex: none; }
.us-review-label > input { flex: none; align-self: flex-start; margin: 0.125rem 0 0; accent-color: var(--us-accent); }
.us-review-row > .us-review-label { display: grid; grid-template-columns: auto 3rem minmax(0, 1fr); }
.us-review-bar > .us-toolbar-note { flex: 1 0 auto; }
.us-review-bar > .us-field { flex: 0 1 16rem; }
.us-review-buttons { flex-wrap: wrap; }
.us-review-buttons > :last-child { margin-inline-start: auto; }
@container understudy (max-width: 46rem) { .us-review-row > time { display: none; } }
`
