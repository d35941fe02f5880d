/** The style of the log and of the details. In a very narrow panel, the URL needs the space of the duration, which the details show. */
export const requestsStyle = `
.us-toolbars { display: flex; flex: none; flex-wrap: wrap; border-bottom: 1px solid var(--us-border); }
.us-toolbars > .us-toolbar { flex: 1 1 auto; border: 0; }
.us-toolbars > .us-toolbar:first-child { flex: 1000 1 44rem; }
.us-split { display: flex; flex: 1; min-height: 7rem; }
.us-window { overflow-anchor: none; }
.us-split > .us-window { flex: 1 1 50%; min-width: 0; }
.us-option { contain: content; border-bottom: 1px solid color-mix(in srgb, var(--us-border) 60%, transparent); cursor: default; }
.us-option:hover { background: var(--us-surface); }
.us-option[aria-selected=true] { background: color-mix(in srgb, var(--us-accent) 14%, var(--us-background)); }
.us-request {
  display: grid; grid-template-columns: 6.25rem 4rem minmax(8rem, 3fr) minmax(0, 2fr) 4rem 4.5rem; align-items: baseline; gap: 0 0.5rem;
  padding: 0.25rem 0.75rem; font-size: 0.75rem; white-space: nowrap;
}
.us-request > * { min-width: 0; overflow: clip; text-overflow: ellipsis; }
/* All rows of the list have one height: those without a hint have an empty second line. */
.us-window[data-two-lines] .us-request { min-height: 2.75rem; align-content: start; }
.us-window[data-two-lines] .us-request.us-divider { padding-block: 0.75rem; }
.us-hint { grid-column: 3 / -1; font-family: var(--us-mono); font-size: 0.6875rem; color: var(--us-muted); }
.us-hint-place { display: inline-block; margin-inline-end: 0.25rem; font-family: var(--us-font); font-weight: 600; }
.us-hint-place::first-letter { text-transform: uppercase; }
.us-mark { border-radius: 2px; background: color-mix(in srgb, var(--us-warning) 28%, transparent); color: var(--us-text); }
.us-status { font: 600 0.75rem/1.5 var(--us-mono); font-variant-numeric: tabular-nums; color: var(--us-muted); }
/* Circle: success. Diamond: redirection. Triangle: client error. Square: server error. Cross: no response. Ring: no mock. */
.us-status[data-shape]::before {
  content: ''; display: inline-block; width: 0.5rem; height: 0.5rem; margin-inline-end: 0.375rem; background: currentcolor; border-radius: 50%;
}
.us-status:is([data-shape='3xx'], [data-shape='4xx'], [data-shape='5xx'], [data-shape=failed])::before { border-radius: 0; }
.us-status[data-shape='3xx']::before { clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); }
.us-status[data-shape='4xx']::before { clip-path: polygon(50% 5%, 100% 95%, 0 95%); }
.us-status[data-shape=failed]::before {
  clip-path: polygon(20% 0, 50% 30%, 80% 0, 100% 20%, 70% 50%, 100% 80%, 80% 100%, 50% 70%, 20% 100%, 0 80%, 30% 50%, 0 20%);
}
.us-status:is([data-shape=passthrough], [data-shape=unhandled], [data-shape=pending])::before {
  border: 0.125rem solid; background: none;
}
.us-status[data-shape=pending]::before { border-style: dotted; }
.us-operation-type { color: var(--us-muted); }
.us-status[data-tone] { color: var(--us-tone); }
.us-request.us-divider { display: block; overflow: hidden; text-overflow: ellipsis; background: var(--us-surface); color: var(--us-muted); font-weight: 600; }
.us-preserve { display: inline-flex; align-items: center; gap: 0.375rem; color: var(--us-muted); font-size: 0.75rem; white-space: nowrap; }
.us-request-url { font-family: var(--us-mono); }
.us-request-by { color: var(--us-muted); font-family: var(--us-mono); font-size: 0.6875rem; }
.us-request-duration, .us-request-time { color: var(--us-muted); font-variant-numeric: tabular-nums; text-align: end; }
.us-view[data-detail] .us-request { grid-template-columns: 6.25rem 4rem minmax(6rem, 1fr) 4rem; }
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
.us-forced { margin-inline-start: 0.25rem; color: var(--us-warning); font: 600 0.625rem/1 var(--us-font); }
.us-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem; padding: 0 0.75rem 0.5rem; }
.us-copies { display: flex; align-items: center; gap: 0.25rem; }
.us-toolbar-end { display: flex; gap: 0.5rem; margin-inline-start: auto; }
.us-message > .us-button { margin-inline: 0.1875rem; }
.us-panel .us-message > .us-code { margin: 0.375rem 0.75rem 0; }
.us-thrown { color: var(--us-negative); overflow-wrap: anywhere; }
.us-panel .us-stack { margin: 0; padding: 0.25rem 0.75rem; list-style: none; font: 0.6875rem/1.7 var(--us-mono); overflow-wrap: anywhere; }
.us-panel .us-frames { margin: 0; padding: 0; list-style: none; font: 0.6875rem/1.6 var(--us-mono); }
.us-frame { display: grid; grid-template-columns: 1rem minmax(0, 1fr) auto auto; gap: 0.5rem; padding: 0.125rem 0.75rem; }
.us-body .us-frame { padding-inline: 0; }
.us-frame + .us-frame { border-top: 1px solid color-mix(in srgb, var(--us-border) 60%, transparent); }
.us-frame-mark { font-weight: 700; }
.us-frame[data-direction=sent] .us-frame-mark { color: var(--us-accent); }
.us-frame[data-direction=received] .us-frame-mark { color: var(--us-positive); }
.us-frame-text { overflow-wrap: anywhere; white-space: pre-wrap; }
.us-event { grid-template-columns: 1rem minmax(0, 1fr) auto auto auto; }
.us-send-type { display: flex; flex: 0 1 8rem; }
.us-send { display: flex; gap: 0.25rem; padding: 0 0.75rem 0.5rem; }
.us-send > :nth-last-child(2) { flex: 1; min-width: 0; max-width: none; }
/* It may be in a row of flexible parts. */
.us-editor { display: grid; flex: 1 1 100%; gap: 0.375rem; min-width: 0; padding-bottom: 0.625rem; }
.us-editor > :not(p, h3) { margin-inline: 0.75rem; }
.us-override > .us-editor { border: 1px solid var(--us-border); border-radius: 4px; background: var(--us-background); }
.us-editor-field { display: grid; gap: 0.125rem; }
.us-editor-label { display: flex; align-items: baseline; justify-content: space-between; }
.us-editor-buttons { display: flex; gap: 0.25rem; }
.us-text-area {
  width: 100%; padding: 0.375rem 0.5rem; border: 1px solid var(--us-border); border-radius: 4px; background: var(--us-surface); color: inherit;
  font: 0.75rem/1.5 var(--us-mono); resize: vertical; tab-size: 2;
}
.us-timeline {
  display: grid; grid-template-columns: max-content minmax(4rem, 1fr) max-content; align-items: center; gap: 0.125rem 0.5rem;
  max-width: 36rem; margin-top: 0.25rem; color: var(--us-muted); font-size: 0.6875rem; font-variant-numeric: tabular-nums;
}
.us-phase-track {
  position: relative; height: 0.5rem; border-radius: 2px;
  background: linear-gradient(90deg, var(--us-border) 1px, transparent 1px) 0 0 / 25% 100% color-mix(in srgb, var(--us-text) 4%, transparent);
}
.us-phase { --us-phase: var(--us-accent); position: absolute; height: 100%; min-width: 2px; max-width: 100%; border-radius: 2px; background: var(--us-phase); }
.us-phase[data-phase=Match] { --us-phase: var(--us-muted); }
.us-phase[data-phase=Delay] { --us-phase: var(--us-warning); }
.us-phase[data-phase=Network] { --us-phase: var(--us-positive); }
.us-phase[data-running] {
  background: repeating-linear-gradient(-45deg, var(--us-phase) 0 0.25rem, color-mix(in srgb, var(--us-phase) 55%, var(--us-background)) 0.25rem 0.5rem) 0 0 / 0.7071rem 100%;
  animation: us-running 0.7s linear infinite;
}
.us-phase-time { text-align: end; }
@keyframes us-running { to { background-position: 0.7071rem 0; } }
@media (prefers-reduced-motion: reduce) { .us-phase[data-running] { animation: none; } }
@container understudy (max-width: 46rem) {
  /* The controls of both bars share their rows. */
  .us-toolbars { align-items: center; gap: 0.25rem 0.5rem; padding: 0.25rem 0.75rem; }
  .us-toolbars > .us-toolbar { display: contents; }
  .us-toolbar .us-field { max-width: none; }
  .us-request { grid-template-columns: 6rem 3.75rem minmax(0, 1fr) 3.25rem; padding-inline: 0.5rem; }
  .us-hint { grid-column: 1 / -1; }
  .us-request-by, .us-request-time { display: none; }
  /* The details cover the list, which keeps the focus and its position: arrow keys still choose a request. */
  .us-view[data-detail] .us-toolbars { display: none; }
  .us-split { position: relative; }
  .us-detail { position: absolute; inset: 0; border: 0; background: var(--us-background); }
  .us-window:has(:focus-visible) + .us-detail > .us-detail-bar { outline: 2px solid var(--us-accent); outline-offset: -2px; }
}
@container understudy (max-width: 24rem) {
  .us-request { grid-template-columns: 6rem 3.75rem 1fr; }
  .us-request-duration { display: none; }
}
`
