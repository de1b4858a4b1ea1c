/** The menu on narrow windows, the theme and the search of a page of the guide. */
import { openSearch } from './search.ts'

const root = document.documentElement
const find = <E extends Element>(selector: string): E => {
  const found = document.querySelector<E>(selector)
  if (!found) throw new Error(`the page has no ${selector}`)
  return found
}

const menu = find<HTMLButtonElement>('.menu')
menu.addEventListener('click', () => {
  const isOpen = root.toggleAttribute('data-menu')
  menu.setAttribute('aria-expanded', String(isOpen))
})

const button = find<HTMLButtonElement>('.theme')
const other = () => (root.dataset['theme'] === 'dark' ? 'light' : 'dark')
const nameButton = () => {
  button.textContent = other() === 'dark' ? 'Dark' : 'Light'
  button.setAttribute('aria-label', `Use the ${other()} theme`)
}
button.addEventListener('click', () => {
  try {
    localStorage.setItem('purlin-theme', other())
  } catch {
    // Storage may be forbidden; the system's theme then stays.
  }
  dispatchEvent(new Event('purlin-theme'))
})
new MutationObserver(nameButton).observe(root, { attributeFilter: ['data-theme'] })
nameButton()

openSearch({
  input: find<HTMLInputElement>('.search input'),
  results: find<HTMLElement>('.results'),
})
