export const requestsStyle = `
.us-split { display: flex; flex: 1; min-height: 0; }
.us-window { overflow-anchor: none; }
.us-split > .us-window { flex: 1 1 50%; min-width: 0; }
.us-option { border-bottom: 1px solid color-mix(in srgb, var(--us-border) 60%, transparent); cursor: default; }
.us-option:hover { background: var(--us-surface); }
.us-option[aria-selected=true] { background: color-mix(in srgb, var(--us-accent) 14%, var(--us-background)); }
.us-request {
  display: grid; grid-template-columns: 3.75rem 3.5rem minmax(8rem, 3fr) minmax(0, 2fr) 4rem 4.5rem; align-items: baseline; gap: 0.5rem;
  padding: 0.25rem 0.75rem; font-size: 0.75rem; white-space: nowrap;
}
.us-request > * { overflow: hidden; text-overflow: ellipsis; }
.us-status { font: 600 0.75rem/1.5 var(--us-mono); font-variant-numeric: tabular-nums; color: var(--us-muted); }
.us-status[data-tone=negative] { color: var(--us-negative); }
.us-status[data-tone=warning] { color: var(--us-warning); }
.us-request-url { font-family: var(--us-mono); }
.us-request-by { color: var(--us-muted); font-family: var(--us-mono); font-size: 0.6875rem; }
.us-request-duration, .us-request-time { color: var(--us-muted); font-variant-numeric: tabular-nums; text-align: end; }
.us-view[data-detail] .us-request { grid-template-columns: 3.75rem 3.5rem minmax(6rem, 1fr) 4rem; }
.us-view[data-detail] .us-request-by, .us-view[data-detail] .us-request-time { display: none; }
.us-detail { flex: 1 1 50%; min-width: 0; overflow: auto; border-inline-start: 1px solid var(--us-border); }
.us-detail-bar {
  position: sticky; top: 0; z-index: 1; display: flex; align-items: flex-start; justify-content: space-between; gap: 0.5rem;
  padding: 0.25rem 0.25rem 0.25rem 0.75rem; border-bottom: 1px solid var(--us-border); background: var(--us-surface);
}
.us-panel .us-detail-title { padding-top: 0.1875rem; font: 0.75rem/1.5 var(--us-mono); overflow-wrap: anywhere; }
.us-panel .us-facts { padding: 0.375rem 0.75rem; font-size: 0.75rem; }
.us-fact { display: grid; grid-template-columns: minmax(4rem, 7rem) 1fr; gap: 0.5rem; padding: 0.0625rem 0; }
.us-fact dt { color: var(--us-muted); overflow-wrap: anywhere; }
.us-fact dd { min-width: 0; overflow-wrap: anywhere; }
.us-detail > .us-nearest { padding: 0.125rem 0.75rem 0.5rem; }
.us-message { padding-bottom: 0.5rem; border-top: 1px solid var(--us-border); }
.us-panel .us-message-title { padding: 0.375rem 0.75rem 0.125rem; font-weight: 600; }
.us-message > p { padding: 0 0.75rem !important; font-size: 0.75rem; }
.us-headers > summary { padding: 0.125rem 0.75rem; color: var(--us-muted); font-size: 0.75rem; cursor: default; }
.us-headers .us-facts { font-family: var(--us-mono); font-size: 0.6875rem; }
@container understudy (max-width: 46rem) {
  .us-request, .us-view[data-detail] .us-request { grid-template-columns: 3.75rem 3rem minmax(0, 1fr) 3.5rem; padding-inline: 0.5rem; }
  .us-request-by, .us-request-time { display: none; }
  .us-view[data-detail] .us-window { display: none; }
  .us-detail { border: 0; }
}
`
