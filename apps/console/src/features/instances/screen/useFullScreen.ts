import { useEffect, useState } from 'react'

/** Whether the page fills the monitor, and what changes that. The browser's Escape ends it as well. */
export function useFullScreen(): { isFull: boolean; toggle: () => void } {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', follow)
    return () => {
      document.removeEventListener('fullscreenchange', follow)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [])
  // Where the monitor cannot be had, such as on phones, the page fills the window.
  const toggle = () => {
    if (document.fullscreenElement) void document.exitFullscreen()
    else if (isFull) setFull(false)
    else document.documentElement.requestFullscreen().catch(() => setFull(true))
  }
  return { isFull, toggle }
}
