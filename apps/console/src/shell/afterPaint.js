// Runs at the end of a page with a frame. The styles of all pages, the scripts and the fonts are fetched once the frame is
// painted, which they would delay. The content security policy names the hash of this script.
;(() => {
  const start = () => {
    const later = document.getElementById('later')?.content
    if (!later) return
    // Before the files of the address: the first render waits for the styles.
    later.prepend(...later.querySelectorAll('[rel="stylesheet"]'))
    document.head.append(later)
  }
  const isPainted = document.visibilityState === 'visible'
  if (isPainted) requestAnimationFrame(() => setTimeout(start))
  // A page in the background is not painted, and one that gets there may never be.
  setTimeout(start, isPainted ? 250 : 0)
})()
