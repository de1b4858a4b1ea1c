// Runs at the end of a page with a frame: its scripts are fetched once the frame is painted, which they would delay. The
// content security policy names the hash of this script.
;(() => {
  const start = () => {
    const scripts = document.getElementById('scripts')
    if (scripts) document.head.append(scripts.content)
  }
  const isPainted = document.visibilityState === 'visible'
  if (isPainted) requestAnimationFrame(() => setTimeout(start))
  // A page in the background is not painted, and one that gets there may never be.
  setTimeout(start, isPainted ? 250 : 0)
})()
