/** Creates an element with attributes and children. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

const shapes = [
  ['mask', 'M2 3h12v4a6 6 0 0 1-12 0z'],
  ['face', 'M5 7.5q1.2 1 2.2 0m1.6 0q1.2 1 2.2 0M6 10.2q2 1.4 4 0'],
] as const

/** Creates Understudy's mask without parsing HTML, which a page may forbid (Trusted Types). */
export function createIcon(): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  for (const [name, shape] of shapes) {
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    path.setAttribute('class', name)
    path.setAttribute('d', shape)
    svg.append(path)
  }
  return svg
}
