/** Puts text on the clipboard and returns whether it got there. Browsers refuse on insecure origins and may be
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
    // Called by name because it is deprecated, although pages served over plain http have no successor for it.
    const command: unknown = Reflect.get(document, 'execCommand')
    isCopied = typeof command === 'function' && command.call(document, 'copy') === true
  } catch {
    isCopied = false
  }
  box.remove()
  if (active instanceof HTMLElement) active.focus({ preventScroll: true })
  return isCopied
}
