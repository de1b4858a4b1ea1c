/**
 * Runs at the end of a page with a frame: the styles of all pages and the other scripts are fetched once the frame is painted,
 * which they would delay. Until they have rendered the page it shows what the server has rendered, if the document has that.
 */
import { hiddenColumnsKey } from '../resource/list/hiddenColumnsKey.ts'
import { scrollToActiveTab } from '../ui/layout/tabInView.ts'
import { stylesAndFontsLoaded } from './fonts.ts'

const template = (id: string) => document.querySelector<HTMLTemplateElement>(`template#${id}`)

/** Which columns this browser hides is not known to the server. */
function hidesColumns(): boolean {
  try {
    return Object.keys(localStorage).some((key) => key.startsWith(hiddenColumnsKey))
  } catch {
    return false
  }
}

const isPlain = ({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey

/** Shows what the server has rendered in place of the frame. The last click on it is done once the page is there. */
async function show(rendered: HTMLTemplateElement): Promise<void> {
  const root = document.getElementById('root')
  const frame = root?.firstElementChild
  const shown = rendered.content.firstElementChild
  await stylesAndFontsLoaded()
  rendered.remove()
  // The page itself may be there by now.
  if (!root || !frame?.isConnected || !shown) return
  root.replaceChildren(shown)
  for (const bar of shown.querySelectorAll('[role=tablist]')) scrollToActiveTab(bar)
  let clicked: MouseEvent | undefined
  const note = (event: MouseEvent) => (clicked = isPlain(event) ? event : undefined)
  document.addEventListener('click', note)
  new MutationObserver((_, observer) => {
    if (shown.isConnected) return
    observer.disconnect()
    document.removeEventListener('click', note)
    if (!clicked) return
    const { clientX, clientY } = clicked
    const again = new MouseEvent('click', {
      bubbles: true,
      cancelable: true,
      composed: true,
      clientX,
      clientY,
    })
    document.elementFromPoint(clientX, clientY)?.dispatchEvent(again)
  }).observe(root, { childList: true })
}

let isStarted = false
function start(): void {
  if (isStarted) return
  isStarted = true
  const later = template('later')?.content
  const rendered = template('rendered')
  if (hidesColumns()) rendered?.remove()
  if (later) {
    // What is rendered waits for the fonts as well.
    const first = rendered?.isConnected ? '[rel="stylesheet"], [as="font"]' : '[rel="stylesheet"]'
    const links = later.querySelectorAll(first)
    for (const link of links) link.removeAttribute('fetchpriority')
    later.prepend(...links)
    document.head.append(later)
  }
  if (rendered?.isConnected) void show(rendered)
}

const isPainted = document.visibilityState === 'visible'
if (isPainted) requestAnimationFrame(() => setTimeout(start))
// A page in the background is not painted, and one that gets there may never be.
setTimeout(start, isPainted ? 250 : 0)
