/** Whether the keyboard has a ⌘ key, which then replaces Ctrl in shortcuts. */
export const isApple = (): boolean =>
  typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)

/** Whether the key event carries the platform's shortcut modifier. */
export const hasModifier = (event: { metaKey: boolean; ctrlKey: boolean }): boolean =>
  isApple() ? event.metaKey : event.ctrlKey

/** How the platform writes its shortcut with a letter: '⌘K' or 'Ctrl K'. */
export const shortcutText = (letter: string): string => (isApple() ? `⌘${letter}` : `Ctrl ${letter}`)
