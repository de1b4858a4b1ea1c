/** Scrolls a bar of tabs that is wider than its place to the active one. The page stays where it is. */
export function scrollToActiveTab(bar: Element): void {
  const tab = bar.querySelector('[aria-selected="true"]')
  if (!tab || bar.scrollWidth <= bar.clientWidth) return
  const [outer, inner] = [bar.getBoundingClientRect(), tab.getBoundingClientRect()]
  if (inner.right > outer.right) bar.scrollLeft += inner.right - outer.right
  else if (inner.left < outer.left) bar.scrollLeft -= outer.left - inner.left
}
