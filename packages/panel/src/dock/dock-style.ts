/**
 * The style of the dock. It is in a shadow tree, so that the dock's and the app's styles do not affect each other. The
 * host element is not in it: a rule of the app for all elements applies to it, unless the host's own style is important.
 */
export const dockStyle = `
:host { all: initial !important; direction: ltr !important; color-scheme: light dark !important; }
* { box-sizing: border-box; }
/* An open dock has no button, and the badge belongs to the button. */
[hidden], [hidden] + .badge, .badge:empty { display: none !important; }
.toggle, .badge, .dock {
  --background: light-dark(#fff, #1b1d21); --surface: light-dark(#f3f4f6, #25282d); --border: light-dark(#c9ccd3, #45494f);
  --text: light-dark(#1d1f24, #eceef1); --accent: light-dark(#1f57c3, #8ab0ff); --alert: light-dark(#b3261e, #ffb4ab);
  position: fixed; z-index: 2147483647; color: var(--text); font: 500 12px/1 system-ui, sans-serif;
}
.toggle {
  right: 12px; bottom: 12px; width: 36px; height: 36px; padding: 0; border: 1px solid var(--border); border-radius: 50%;
  background: var(--background); box-shadow: 0 1px 4px rgb(0 0 0 / 0.25); cursor: pointer;
}
svg { display: block; width: 20px; margin: auto; }
path { fill: var(--accent); stroke: var(--background); }
/* A recording: the dot that recorders have. */
[aria-description^=rec] { border-color: var(--alert); }
[aria-description^=rec]::after {
  content: ''; position: absolute; right: -2px; bottom: -2px; border: 6px solid var(--alert); border-radius: 50%;
  outline: 2px solid var(--background);
}
.badge {
  right: 6px; bottom: 36px; min-width: 18px; padding: 3px 5px; border-radius: 9px; background: var(--alert); color: var(--background);
  box-shadow: 0 0 0 2px var(--background); font-size: 11px; text-align: center; font-variant-numeric: tabular-nums; pointer-events: none;
}
.dock { display: flex; flex-direction: column; background: var(--background); box-shadow: 0 1px 12px rgb(0 0 0 / 0.25); }
.dock[data-side=bottom] { inset: auto 0 0; height: var(--size); border-top: 1px solid var(--border); }
.dock[data-side=right] { inset: 0 0 0 auto; width: var(--size); border-left: 1px solid var(--border); }
.bar { display: flex; flex: none; align-items: center; gap: 4px; padding: 2px 6px; background: var(--surface); }
.bar > :first-child { flex: 1; padding: 0 6px; font-weight: 600; }
.bar button, .bar a {
  padding: 6px 8px; border: 1px solid transparent; border-radius: 4px; background: none; color: inherit; font: inherit;
  text-decoration: none; white-space: nowrap; cursor: pointer;
}
.bar button:hover, .bar a:hover { border-color: var(--border); background: var(--background); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
.resizer { position: absolute; z-index: 1; touch-action: none; }
[data-side=bottom] > .resizer { inset: -4px 0 auto; height: 8px; cursor: row-resize; }
[data-side=right] > .resizer { inset: 0 auto 0 -4px; width: 8px; cursor: col-resize; }
.resizer:hover, .resizer:focus-visible { background: var(--accent); opacity: 0.6; }
iframe { flex: 1; width: 100%; min-height: 0; border: 0; background: var(--background); }
.dragged iframe { pointer-events: none; }
p { margin: 0; padding: 16px; line-height: 1.5; }
@media (max-width: 600px) {
  .dock[data-side=right] { inset: auto 0 0; width: auto; height: var(--size); }
  .side { display: none; }
}
@media (forced-colors: active) {
  .toggle, .badge { border: 1px solid ButtonText; }
  path { fill: ButtonText; }
  .toggle { --background: ButtonFace; }
}
@media print { * { display: none !important; } }
`
