import * as React from 'react'

/** Words in scripts from right to left. */
const rightToLeft =
  /([\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]+)/u

/**
 * Shows a decoded URL. Each word from right to left is isolated: otherwise, the parts of `/שלום/1` would be shown in another order.
 */
export function UrlText({ children }: { children: string }): React.ReactNode {
  if (!rightToLeft.test(children)) return children
  return children.split(rightToLeft).map((part, index) => (index % 2 === 0 ? part : <bdi key={index}>{part}</bdi>))
}
