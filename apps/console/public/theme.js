// Runs before first paint, so that the page never shows the wrong theme: a build puts it into the page, and the content
// security policy names its hash. The choice itself is written by src/ui/theme.ts.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    let choice = null
    try {
      choice = localStorage.getItem('purlin-theme')
    } catch {
      // Storage may be forbidden; the system's choice then stands.
    }
    const theme = choice === 'light' || choice === 'dark' ? choice : dark.matches ? 'dark' : 'light'
    document.documentElement.dataset.theme = theme
  }
  apply()
  dark.addEventListener('change', apply)
  addEventListener('storage', apply)
  addEventListener('purlin-theme', apply)
})()
