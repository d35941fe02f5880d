/**
 * Returns the anchor of a heading. The site uses the same rule as forges, so that a link works on both.
 *
 * @param heading the text of the heading, without Markdown
 */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
