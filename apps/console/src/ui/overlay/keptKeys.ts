/** Keys that are pressed before the widget that they are for is there. */

/** The named keys of menus and search boxes, besides characters. */
const named = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End', 'Enter', 'Escape', 'Backspace'])
const activates = (key: string) => key === 'Enter' || key === ' '
/** More than anyone presses ahead; a key that is held down must not fill the memory. */
const most = 64

export interface KeptKeys {
  /** Presses the keys again, in order, on what then has the focus. */
  replay: () => Promise<void>
  /** Forgets them and keeps no more. */
  drop: () => void
}

/** Keeps keys from the page until they are replayed or dropped. `onCancel` is called for Escape, if no key before
 * it activates anything; without it, Escape is kept like any key. */
export function keepKeys(onCancel?: () => void): KeptKeys {
  const keys: string[] = []
  const onKey = (event: KeyboardEvent) => {
    // Those that are replayed are not the user's.
    if (!event.isTrusted || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key.length > 1 && !named.has(event.key)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    // The key that opens the widget may still be held down.
    if (keys.length >= most || (event.repeat && activates(event.key))) return
    if (onCancel && event.key === 'Escape' && !keys.some(activates)) {
      drop()
      onCancel()
    } else keys.push(event.key)
  }
  const drop = () => {
    keys.length = 0
    document.removeEventListener('keydown', onKey, true)
  }
  document.addEventListener('keydown', onKey, true)
  const replay = async () => {
    while (keys.length > 0) {
      // A task of its own: what the key before has changed is then on the page, and the keys may be dropped.
      await new Promise((resolve) => window.setTimeout(resolve))
      const key = keys.shift()
      if (key !== undefined) press(key)
    }
    drop()
  }
  return { replay, drop }
}

/** Does on the focused element what the key does, where a browser does so for keys of the user alone. */
function press(key: string): void {
  const target = document.activeElement
  if (!(target instanceof HTMLElement)) return
  const init = { key, bubbles: true, cancelable: true }
  const isHandled = !target.dispatchEvent(new KeyboardEvent('keydown', init))
  if (!isHandled && target instanceof HTMLInputElement) edit(target, key)
  else if (!isHandled && key === 'Enter') target.click()
  target.dispatchEvent(new KeyboardEvent('keyup', init))
}

/** Types into a text box. */
function edit(box: HTMLInputElement, key: string): void {
  const start = box.selectionStart ?? box.value.length
  const end = box.selectionEnd ?? start
  if (key === 'Backspace') box.setRangeText('', start === end ? Math.max(0, start - 1) : start, end, 'end')
  else if (key.length === 1) box.setRangeText(key, start, end, 'end')
  else return
  box.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
