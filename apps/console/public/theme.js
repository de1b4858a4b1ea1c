// Runs before first paint, so that the page never shows the wrong theme or density: a build puts it into the page, and the
// content security policy names its hash. The choices are written by src/ui/theme.ts and src/ui/table/density.ts.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => {
    let choice = null
    let density = null
    try {
      choice = localStorage.getItem('purlin-theme')
      density = localStorage.getItem('purlin-density')
    } catch {
      // Storage may be forbidden; the system's theme and comfortable rows then stand.
    }
    const theme = choice === 'light' || choice === 'dark' ? choice : dark.matches ? 'dark' : 'light'
    document.documentElement.dataset.theme = theme
    document.documentElement.dataset.density = density === 'compact' ? density : 'comfortable'
  }
  apply()
  dark.addEventListener('change', apply)
  addEventListener('storage', apply)
  addEventListener('purlin-theme', apply)
})()
