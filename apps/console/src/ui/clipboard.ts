/** Puts text on the clipboard and tells whether it got there. Browsers refuse on insecure origins and may be
 * denied by the person, so the older way through a hidden text box is tried before giving up. */
export const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

const copyBySelection = (text: string): boolean => {
  const active = document.activeElement
  const host = active?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body
  const box = document.createElement('textarea')
  box.value = text
  box.readOnly = true
  box.setAttribute('aria-hidden', 'true')
  box.style.cssText = 'position:fixed;opacity:0;pointer-events:none'
  host.append(box)
  box.select()
  let isCopied = false
  try {
    // Reached by name: it is deprecated without a successor for pages served over plain http.
    const command: unknown = Reflect.get(document, 'execCommand')
    isCopied = typeof command === 'function' && command.call(document, 'copy') === true
  } catch {
    isCopied = false
  }
  box.remove()
  if (active instanceof HTMLElement) active.focus({ preventScroll: true })
  return isCopied
}
