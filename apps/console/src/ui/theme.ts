const KEY = 'purlin-theme'

/** The user's choice; 'system' follows the operating system as it changes. */
export type ThemeChoice = 'light' | 'dark' | 'system'
/** The shown theme. */
export type Theme = 'light' | 'dark'

/** The store of the theme choice, kept per browser; public/theme.js applies it before first paint. */
export const themeStore = {
  get: (): ThemeChoice => {
    try {
      const kept = localStorage.getItem(KEY)
      return kept === 'light' || kept === 'dark' ? kept : 'system'
    } catch {
      return 'system'
    }
  },
  /** The theme on screen. */
  shown: (): Theme => (document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'),
  set: (choice: ThemeChoice): void => {
    try {
      localStorage.setItem(KEY, choice)
    } catch {
      // Storage may be forbidden; the system's theme then applies.
    }
    window.dispatchEvent(new Event('purlin-theme'))
  },
  /** Also called when the operating system or another tab changes the theme, so that charts can be redrawn. */
  subscribe: (listener: () => void): (() => void) => {
    const observer = new MutationObserver(listener)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  },
}
