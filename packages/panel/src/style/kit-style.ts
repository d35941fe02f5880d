export const kitStyle = `
.us-button {
  min-height: 1.625rem; padding: 0 0.5rem; border: 1px solid var(--us-border); border-radius: 4px;
  background: var(--us-background); color: inherit; font: inherit; font-size: 0.75rem; white-space: nowrap; cursor: pointer;
  max-width: 100%; overflow: clip; text-overflow: ellipsis;
}
.us-button:hover { background: var(--us-surface); }
.us-button:disabled { opacity: 0.5; cursor: default; }
.us-button-plain { border-color: transparent; background: none; color: var(--us-muted); }
.us-button-plain:hover { color: var(--us-text); }
.us-button[aria-pressed=true], .us-button[aria-expanded=true] {
  border-color: var(--us-border); background: var(--us-surface); color: var(--us-text);
}
.us-button[aria-pressed=true] {
  border-color: var(--us-accent); background: color-mix(in srgb, var(--us-accent) 14%, var(--us-background));
}
.us-button[data-tone=warning] { border-color: color-mix(in srgb, var(--us-warning) 45%, transparent); color: var(--us-warning); }
/* The main button of a dialog or an editor. Forced colors have none for it. */
@media (forced-colors: none) {
  div.us-editor-buttons > .us-button:first-child:not(.us-button-plain) {
    border-color: var(--us-accent); background: var(--us-accent); color: var(--us-background); font-weight: 600;
  }
  div.us-editor-buttons > .us-button:first-child:not(.us-button-plain):hover { background: color-mix(in srgb, var(--us-accent) 86%, var(--us-text)); }
}
.us-badge {
  display: inline-block; padding: 0 0.375rem; border-radius: 3px; background: color-mix(in srgb, var(--us-text) 8%, var(--us-background));
  color: var(--us-muted); font: 500 0.6875rem/1.125rem var(--us-font); white-space: nowrap;
}
.us-switch {
  position: relative; flex: none; width: 1.75rem; height: 1rem; margin: 0.1875rem 0; padding: 0; border: 1px solid var(--us-muted);
  border-radius: 0.5rem; background: none; cursor: pointer;
}
.us-switch::after { content: ''; position: absolute; inset: -0.3125rem; }
.us-switch-thumb {
  position: absolute; top: 0.125rem; left: 0.125rem; width: calc(0.75rem - 2px); height: calc(0.75rem - 2px); border-radius: 50%;
  background: var(--us-muted); transition: translate 0.1s;
}
.us-switch[aria-checked=true] { border-color: var(--us-accent); background: var(--us-accent); }
.us-switch[aria-checked=true] .us-switch-thumb { background: var(--us-background); translate: 0.75rem; }
.us-panel .us-switch:focus-visible { outline-offset: 2px; border-radius: 0.5rem; }
@media (prefers-reduced-motion: reduce) { .us-switch-thumb { transition: none; } }
@media (forced-colors: active) {
  .us-switch[aria-checked=true] { background: Highlight; }
  .us-switch-thumb, .us-switch[aria-checked=true] .us-switch-thumb { background: ButtonText; }
}
.us-select, .us-field {
  height: 1.625rem; min-width: 0; padding: 0 0.375rem; border: 1px solid var(--us-border); border-radius: 4px;
  background: var(--us-background); color: inherit; font: inherit; font-size: 0.75rem;
}
.us-field { flex: 1 1 9rem; max-width: 22rem; text-overflow: ellipsis; }
.us-field::placeholder { color: var(--us-muted); opacity: 1; }
.us-slider { display: inline-flex; align-items: center; gap: 0.5rem; }
.us-slider input { width: 9rem; margin: 0; accent-color: var(--us-accent); }
.us-slider-value { min-width: 3.5rem; font-size: 0.75rem; font-variant-numeric: tabular-nums; }
.us-tabs { display: flex; flex: 1; flex-direction: column; min-height: 0; }
.us-tabs-bar {
  display: flex; flex: none; flex-wrap: wrap; align-items: center; justify-content: space-between;
  padding: 0 0.375rem; border-bottom: 1px solid var(--us-border); background: var(--us-surface);
}
.us-tabs-list { display: flex; flex-wrap: wrap; }
.us-tabs-tools { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.5rem; padding: 0.1875rem 0.375rem; font-size: 0.75rem; }
.us-tab {
  height: 2.125rem; padding: 0 0.5rem; border: 0; background: none; color: var(--us-muted); font: inherit;
  white-space: nowrap; cursor: pointer;
}
@container understudy (max-width: 27rem) { .us-tab { padding: 0 0.25rem; } .us-tab > .us-count { margin-inline-start: 0.125rem; } }
.us-tab:hover { color: var(--us-text); }
.us-tab[aria-selected=true] { color: var(--us-text); font-weight: 600; box-shadow: inset 0 -2px var(--us-accent); }
@media (forced-colors: active) { .us-tab[aria-selected=true] { border-bottom: 3px solid Highlight; } }
.us-tab-content { flex: 1; min-height: 0; }
.us-empty { display: flex; flex-direction: column; align-items: center; gap: 0.5rem; width: 100%; padding: 3rem 1.25rem 1.25rem; }
.us-panel .us-empty-title { font-size: 0.9375rem; font-weight: 600; text-align: center; }
.us-button[aria-expanded]::after { content: '▾' / ''; margin-inline-start: 0.25rem; font-size: 0.625rem; }
.us-button[aria-expanded=true]::after { content: '▴' / ''; }
.us-empty-text { display: grid; gap: 0.5rem; text-wrap: balance; max-width: 34rem; min-width: 0; color: var(--us-muted); text-align: center; justify-items: center; }
.us-empty-text .us-code { max-width: 100%; text-align: start; }
.us-panel .us-code {
  padding: 0.375rem 0.5rem; border: 1px solid var(--us-border); border-radius: 4px; background: var(--us-surface);
  color: var(--us-text); font: 0.75rem/1.5 var(--us-mono); overflow: auto; max-height: 24rem; white-space: pre; tab-size: 2;
}
`
