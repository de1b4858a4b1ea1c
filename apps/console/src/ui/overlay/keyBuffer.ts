/** Buffers the keys that a user presses before the widget has loaded. */

/** The named keys of menus and search boxes, besides characters. */
const named = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End', 'Enter', 'Escape', 'Backspace'])
const activates = (key: string) => key === 'Enter' || key === ' '
/** More keys than a user types ahead. Limits the memory that a key held down can take. */
const most = 64

export interface KeyBuffer {
  /** Replays the keys, in order, on the element that has the focus. */
  replay: () => Promise<void>
  /** Discards the keys and stops listening. */
  drop: () => void
}

/** Keeps keys from reaching the page until they are replayed or dropped. Escape calls `onCancel`, unless an earlier key
 * activates something. Without `onCancel`, Escape is buffered like any other key. */
export function bufferKeys(onCancel?: () => void): KeyBuffer {
  const keys: string[] = []
  const onKey = (event: KeyboardEvent) => {
    // Replayed keys are not trusted.
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
      // A separate task, so that the page has handled the previous key. That key may also have dropped the rest.
      await new Promise((resolve) => window.setTimeout(resolve))
      const key = keys.shift()
      if (key !== undefined) press(key)
    }
    drop()
  }
  return { replay, drop }
}

/** Simulates the default action of a key: browsers perform it for trusted events only. */
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
