export const handlersStyle = `
.us-panel .us-section-title {
  position: sticky; top: 0; z-index: 1; border-bottom: 1px solid var(--us-border);
  background: var(--us-surface); color: var(--us-muted); font-size: 0.75rem; font-weight: 600;
}
.us-section-toggle {
  display: flex; align-items: center; width: 100%; padding: 0.25rem 0.75rem; border: 0; background: none; color: inherit;
  font: inherit; text-align: start; cursor: pointer;
}
.us-section-toggle::before {
  content: ''; width: 0.3125rem; height: 0.5rem; margin-inline-end: 0.5rem; background: currentcolor; clip-path: polygon(0 0, 100% 50%, 0 100%);
}
.us-section-toggle[aria-expanded=true]::before { transform: rotate(90deg); }
.us-section-toggle:hover { color: var(--us-text); }
.us-section-layer { display: inline-block; }
.us-section-layer::first-letter { text-transform: uppercase; }
.us-section-group { margin-inline-start: 0.375rem; color: var(--us-text); }
.us-section-group::before { content: '/ '; color: var(--us-muted); }
/* Rows out of sight cost no layout and no painting. They stay in the page for the search of the browser and for screen readers. */
.us-handler {
  border-bottom: 1px solid color-mix(in srgb, var(--us-border) 60%, transparent);
  content-visibility: auto; contain-intrinsic-block-size: auto 2rem;
}
.us-handler:hover { background: color-mix(in srgb, var(--us-surface) 60%, transparent); }
.us-handler[data-state=forced] { box-shadow: inset 3px 0 var(--us-warning); }
.us-handler-line { display: flex; align-items: baseline; gap: 0.625rem; padding: 0.1875rem 0.5rem 0.1875rem 0.75rem; min-height: 2rem; }
.us-handler-line > .us-switch { align-self: flex-start; margin-top: 0.3125rem; }
.us-handler-name {
  display: grid; flex: 1 1 14rem; grid-template-columns: 3.75rem minmax(0, auto) 1fr; align-items: baseline; gap: 0 0.5rem; min-width: 0;
}
.us-handler-name > .us-path { min-width: 0; }
.us-handler[data-state=idle] .us-path { color: var(--us-muted); }
.us-marks { display: inline-flex; flex-wrap: wrap; gap: 0.25rem; }
.us-handler-facts {
  display: grid; flex: none; grid-template-columns: 11rem 9.75rem 4.5rem; align-items: baseline; gap: 1rem; color: var(--us-muted);
  font-size: 0.75rem; font-variant-numeric: tabular-nums; white-space: nowrap;
}
.us-handler-place { overflow: hidden; text-overflow: ellipsis; text-align: end; }
/* The status and the time have separate edges, so that both are aligned whatever the status is. */
.us-handler-last { display: flex; align-items: baseline; justify-content: space-between; gap: 0 0.375rem; }
.us-handler-hits { text-align: end; }
/* The marks beside the path say it. */
.us-handler .us-forced { display: none; }
.us-handler-note { padding: 0 0.75rem 0.375rem 3.125rem; color: var(--us-muted); font-size: 0.75rem; }
.us-override { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 1.25rem; padding: 0.25rem 0.75rem 0.5rem 3.125rem; }
.us-override > .us-button-plain { margin-inline-start: -0.5rem; }
.us-override-field { display: flex; align-items: center; gap: 0.5rem; }
@container understudy (max-width: 46rem) {
  .us-handler-line { flex-wrap: wrap; gap: 0 0.625rem; }
  .us-handler-name { display: flex; flex: 1 1 calc(100% - 7rem); flex-wrap: wrap; }
  .us-handler-name > .us-path { max-width: calc(100% - 4.25rem); }
  .us-handler-facts { order: 1; display: flex; flex: 1 1 100%; min-width: 0; gap: 0 0.5rem; padding: 0 0 0.1875rem 2.375rem; }
  .us-handler-place { min-width: 0; }
  .us-handler-hits { margin-inline-start: auto; padding-inline-end: 0.5rem; }
  .us-handler-place, .us-handler-hits { text-align: start; }
  .us-handler-note, .us-override { padding-inline-start: 3.125rem; }
  .us-handler-place .us-link { max-width: calc(100% + 2px); margin-inline-start: -2px; }
  .us-toolbar-note[data-hint] { display: none; }
}
.us-unhandled { padding: 0.5rem 0.75rem 0.625rem; border-bottom: 1px solid var(--us-border); }
.us-unhandled h2 { display: grid; grid-template-columns: 4rem minmax(0, 1fr) auto; align-items: baseline; gap: 0 0.5rem; }
.us-unhandled h2 > .us-method { justify-self: start; }
.us-unhandled h2 > .us-path { font-weight: 600; overflow-wrap: anywhere; display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 3; }
.us-unhandled-end { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.5rem; }
.us-unhandled-end time { font-size: 0.75rem; font-variant-numeric: tabular-nums; }
.us-nearest { display: grid; gap: 0.25rem; margin-top: 0.25rem; font-size: 0.75rem; }
@container understudy (min-width: 46.01rem) { .us-unhandled > .us-nearest { padding-inline-start: 4.5rem; } }
@container understudy (max-width: 46rem) { .us-unhandled-end { grid-column: 1 / -1; } .us-unhandled-end time { margin-inline-end: auto; } }
.us-panel .us-nearest > * + .us-label { margin-top: 0.25rem; }
.us-quoted { color: var(--us-text); }
.us-near { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.625rem; padding: 0.0625rem 0; color: var(--us-muted); }
.us-near-header { color: var(--us-text); }
.us-near-difference { flex: 1 1 16rem; min-width: 0; overflow-wrap: anywhere; }
.us-suggestion { display: flex; align-items: center; gap: 0.25rem; min-width: 0; }
.us-suggestion .us-code { flex: 0 1 auto; min-width: 0; max-height: none; white-space: pre-wrap; overflow-wrap: anywhere; }
.us-panel .us-more { padding: 0.75rem; text-align: center; }
`
