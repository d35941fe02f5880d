/** The colors of the panel with a theme of its host, whose system may have another mode. */
import { expect, test } from 'vitest'

import { panelStyle } from './style/panel-style.ts'
import { toCustomProperties, type PanelTheme } from './theme.ts'

/** Returns the colors of text, of muted text and of the background. */
function readColors(theme: Partial<PanelTheme>): string[] {
  const panel = document.createElement('div')
  panel.className = 'us-panel'
  for (const [name, value] of Object.entries(toCustomProperties(theme))) {
    panel.style.setProperty(name === 'colorScheme' ? 'color-scheme' : name, value)
  }
  panel.innerHTML = `<style>${panelStyle}</style><i class="us-muted"></i>`
  document.body.append(panel)
  const muted = panel.querySelector('i') as HTMLElement
  const colors = [getComputedStyle(panel).color, getComputedStyle(muted).color, getComputedStyle(panel).backgroundColor]
  panel.remove()
  return colors
}

const light = ['rgb(27, 31, 36)', 'rgb(89, 98, 110)', 'rgb(255, 255, 255)']
const dark = ['rgb(227, 230, 235)', 'rgb(155, 164, 176)', 'rgb(21, 23, 27)']

test('the mode of the theme decides, whatever the system has', () => {
  expect(readColors({ colorScheme: 'light' })).toEqual(light)
  expect(readColors({ colorScheme: 'dark' })).toEqual(dark)
  expect([light, dark]).toContainEqual(readColors({}))
})

test.each(['inherit', 'initial', 'unset', 'revert'])('a keyword such as %s leaves the color of the mode', (keyword) => {
  const muted = 'color-mix(in srgb, var(--us-text) 72%, transparent)'
  expect(readColors({ colorScheme: 'dark', text: keyword, muted, background: keyword })).toEqual([
    dark[0],
    'color(srgb 0.890196 0.901961 0.921569 / 0.72)',
    dark[2],
  ])
})

test('a color of the theme replaces that of the mode', () => {
  expect(readColors({ colorScheme: 'dark', text: 'red' })).toEqual(['rgb(255, 0, 0)', dark[1], dark[2]])
})
