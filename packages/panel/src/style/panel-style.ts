import { bodyStyle } from './body-style.ts'
import { handlersStyle } from './handlers-style.ts'
import { kitStyle } from './kit-style.ts'
import { requestsStyle } from './requests-style.ts'

/**
 * The colors of the light and the dark mode, which a host may replace. The mode is that of the system, or that of the host's theme.
 * Sizes depend on the text size. In a low window, the bars would leave no row of a list, so lists have a minimum height and the
 * whole panel scrolls.
 */
const base = `
.us-panel {
  --us-font: var(--understudy-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
  --us-mono: var(--understudy-monospace, ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, monospace);
  --us-background: var(--understudy-background, light-dark(#ffffff, #15171b));
  --us-surface: var(--understudy-surface, light-dark(#f4f5f7, #1e2126));
  --us-border: var(--understudy-border, light-dark(#dde0e5, #31363e));
  --us-text: var(--understudy-text, light-dark(#1b1f24, #e3e6eb));
  --us-muted: var(--understudy-muted, light-dark(#59626e, #9ba4b0));
  --us-accent: var(--understudy-accent, light-dark(#1f57c3, #80aaff));
  --us-positive: var(--understudy-positive, light-dark(#14713c, #62c98d));
  --us-warning: var(--understudy-warning, light-dark(#875200, #e3b04e));
  --us-negative: var(--understudy-negative, light-dark(#b8272d, #ff8a8a));
  color-scheme: light dark;
  container: understudy / inline-size;
  box-sizing: border-box;
  display: flex;
  flex-direction: column;
  height: 100%;
  min-height: 0;
  overflow: auto;
  background: var(--us-background);
  color: var(--us-text);
  font: 0.8125rem/1.45 var(--us-font);
  text-align: start;
}
.us-panel *, .us-panel ::before, .us-panel ::after { box-sizing: border-box; }
.us-panel :where(h2, h3, h4, p, ul, dl, dd, pre) { margin: 0; padding: 0; font: inherit; }
.us-panel :where(code, .us-mono) { font-family: var(--us-mono); font-size: 0.75rem; overflow-wrap: anywhere; }
.us-panel :focus-visible { outline: 2px solid var(--us-accent); outline-offset: -2px; border-radius: 3px; }
.us-list { list-style: none; }
.us-muted { color: var(--us-muted); }
.us-warning { color: var(--us-warning); font-weight: 600; }
.us-label { color: var(--us-muted); font-size: 0.75rem; }
.us-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.us-notice {
  display: flex; align-items: center; justify-content: space-between; gap: 0.5rem; flex: none;
  padding: 0.375rem 0.75rem !important; border-bottom: 1px solid var(--us-border);
  --us-tone: var(--us-warning); background: color-mix(in srgb, var(--us-tone) 9%, var(--us-background)); color: var(--us-text);
  box-shadow: inset 3px 0 var(--us-tone);
}
.us-dialog {
  width: min(48rem, calc(100vw - 1rem)); max-height: calc(100vh - 1rem); padding: 0.75rem; border: 1px solid var(--us-border); border-radius: 6px;
  background: var(--us-background); color: inherit; overflow: auto;
}
.us-dialog::backdrop { background: rgb(0 0 0 / 0.4); }
.us-dialog > * { margin-bottom: 0.5rem; }
.us-dialog > :last-child { margin-bottom: 0; }
.us-panel .us-dialog > h2 { margin-bottom: 0.5rem; font: 600 0.875rem/1.5 var(--us-font); }
.us-notes { padding-inline-start: 1.25rem; font-size: 0.75rem; }
.us-panel .us-code.us-diff { display: grid; grid-template-columns: minmax(max-content, 1fr); max-height: 55vh; padding: 0.375rem 0; overflow: auto; white-space: pre; }
.us-diff > span { padding: 0 0.625rem; }
.us-diff > [data-mark='+'] { background: color-mix(in srgb, var(--us-positive) 14%, transparent); }
.us-diff > [data-mark='-'] { background: color-mix(in srgb, var(--us-negative) 14%, transparent); }
.us-diff > [data-mark='@'] { color: var(--us-muted); }
.us-view { display: flex; flex-direction: column; height: 100%; min-height: 0; }
.us-scroll { flex: 1; min-height: 7rem; overflow: auto; overscroll-behavior: contain; }
.us-toolbar {
  display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem;
  padding: 0.25rem 0.75rem; border-bottom: 1px solid var(--us-border);
}
.us-toolbar-note { flex: 1; min-width: 5rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--us-muted); font-size: 0.75rem; }
.us-method {
  --us-method: var(--us-accent); display: inline-block; justify-self: start; padding: 0 0.25rem; border: 1px solid color-mix(in srgb, var(--us-method) 40%, transparent);
  border-radius: 3px; color: var(--us-method); font: 600 0.6875rem/1.35 var(--us-mono); white-space: nowrap;
}
.us-method:not([data-kind=read]) { border-color: transparent; background: color-mix(in srgb, var(--us-method) 14%, var(--us-background)); }
.us-method[data-kind=create] { --us-method: var(--us-positive); }
.us-method[data-kind=change] { --us-method: var(--us-warning); }
.us-method[data-kind=delete] { --us-method: var(--us-negative); }
.us-path { font-family: var(--us-mono); font-size: 0.75rem; overflow-wrap: anywhere; }
.us-place { display: inline-flex; max-width: 100%; color: var(--us-muted); font: 0.6875rem/1.6 var(--us-mono); vertical-align: bottom; }
.us-place-file { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.us-link {
  padding: 0 2px; border: 0; border-radius: 3px; background: none; color: inherit; cursor: pointer; text-align: start;
  text-decoration: underline; text-decoration-color: var(--us-border); text-underline-offset: 2px;
}
.us-link:hover { color: var(--us-accent); text-decoration-color: currentcolor; }
.us-count {
  display: inline-block; min-width: 1.25rem; margin-inline-start: 0.375rem; padding: 0 0.3125rem; border-radius: 0.625rem;
  background: color-mix(in srgb, var(--us-text) 9%, var(--us-background)); color: var(--us-muted);
  font: 500 0.6875rem/1.125rem var(--us-font); font-variant-numeric: tabular-nums; text-align: center;
}
.us-panel [data-tone=warning] { --us-tone: var(--us-warning); }
.us-panel [data-tone=negative] { --us-tone: var(--us-negative); }
.us-panel [data-tone=positive] { --us-tone: var(--us-positive); }
.us-panel [data-tone=information], .us-panel [data-tone=pending] { --us-tone: var(--us-accent); }
.us-count[data-tone], .us-panel .us-badge:not([data-tone=neutral]) {
  background: color-mix(in srgb, var(--us-tone) 14%, var(--us-background)); color: var(--us-tone);
}
`

/** After all others: colors that the developer chose have precedence over those of the panel. */
const forcedColors = `
@media (forced-colors: active) {
  .us-count, .us-badge { border: 1px solid; }
  .us-method:not([data-kind=read]) { border: 2px solid; }
  .us-status::before, .us-section-toggle::before { forced-color-adjust: none; }
  .us-button[aria-pressed=true], .us-button[aria-expanded=true] {
    forced-color-adjust: none; border-color: Highlight; background: Highlight; color: HighlightText;
  }
  .us-phase-track { border: 1px solid; background: none; }
  .us-phase, .us-phase[data-running] { forced-color-adjust: none; background: CanvasText; }
  .us-phase[data-running] { background: Highlight; }
  .us-option[aria-selected=true] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  .us-option[aria-selected=true] * { color: inherit; }
  .us-panel .us-mark { forced-color-adjust: none; background: Mark; color: MarkText; }
}
`

/** The style sheet of the panel. */
export const panelStyle: string = base + kitStyle + handlersStyle + requestsStyle + bodyStyle + forcedColors
