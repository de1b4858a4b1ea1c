import { transport } from './transport.ts'

/** Lets the browser save what an address of the API answers, under the name that the answer gives it. */
export function download(href: string): void {
  const { save = saveFrom } = transport()
  save(href)
}

/** Over the network the browser itself asks, so that a large file passes by the page. */
function saveFrom(href: string, name = ''): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}

/** Saves an answer that the page has. */
export function saveText(text: string, { type, name }: { type: string; name: string }): void {
  const href = URL.createObjectURL(new Blob([text], { type }))
  saveFrom(href, name)
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
