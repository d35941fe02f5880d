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

/** The mask and its face: the outline is filled, and the lines of the face have the color of the background. */
const shape = 'M2 3h12v4a6 6 0 0 1-12 0zM5 7.5q1.2 1 2.2 0m1.6 0q1.2 1 2.2 0M6 10.2q2 1.4 4 0'

/** Creates Understudy's mask without parsing HTML, which a page may forbid (Trusted Types). */
export function createIcon(): SVGSVGElement {
  const [svg, path] = (['svg', 'path'] as const).map((name) =>
    document.createElementNS('http://www.w3.org/2000/svg', name),
  ) as [SVGSVGElement, SVGPathElement]
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  path.setAttribute('d', shape)
  svg.append(path)
  return svg
}
