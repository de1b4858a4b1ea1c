/** The search of the guide: its index is fetched when the field is first used. */
import MiniSearch, { type SearchResult } from 'minisearch'
import { indexOptions } from './index-options.ts'

interface SearchParts {
  input: HTMLInputElement
  results: HTMLElement
}

const most = 20

/** Connects the field with the list of results. Slash moves to the field, arrows move between results, Escape closes. */
export function openSearch({ input, results }: SearchParts): void {
  const list = results.querySelector('ul')!
  const status = results.querySelector('p')!
  let loading: Promise<MiniSearch> | undefined
  const load = () =>
    (loading ??= fetch('/docs/assets/search.json')
      .then((answer) => {
        if (!answer.ok) throw new Error(`status ${answer.status}`)
        return answer.text()
      })
      .then((text) => MiniSearch.loadJSON(text, indexOptions))
      .catch((error: unknown) => {
        loading = undefined
        throw error
      }))
  const close = () => (results.hidden = true)

  async function search(): Promise<void> {
    const text = input.value.trim()
    if (text === '') return void close()
    try {
      const index = await load()
      if (text !== input.value.trim()) return
      const found = index.search(text, {
        prefix: true,
        fuzzy: 0.1,
        combineWith: 'AND',
        boost: { heading: 4, title: 3 },
        // Tasks come before operations with the same words.
        boostDocument: (id) => (String(id).startsWith('/docs/api') ? 0.3 : 1),
      })
      show(found.slice(0, most), found.length)
    } catch {
      show([], 0, 'The search could not be loaded. Check your connection and type again.')
    }
  }

  function show(found: readonly SearchResult[], count: number, problem?: string): void {
    list.replaceChildren(...found.map(itemOf))
    status.textContent = problem ?? countOf(count)
    results.hidden = false
  }

  function move(by: number): void {
    const links = [...list.querySelectorAll('a')]
    const at = links.findIndex((link) => link === document.activeElement)
    const next = at + by
    if (next < 0) input.focus()
    else links[Math.min(next, links.length - 1)]?.focus()
  }

  input.addEventListener('focus', () => void load().catch(() => undefined))
  input.addEventListener('input', () => void search())
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key === '/' && !isTyping) {
      event.preventDefault()
      input.focus()
    }
    const isInside =
      event.target instanceof Node && (event.target === input || results.contains(event.target))
    if (!isInside || results.hidden) return
    if (event.key === 'Escape') {
      close()
      input.focus()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter' && event.target === input) {
      list.querySelector('a')?.click()
    }
  })
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && target !== input && !results.contains(target)) close()
  })
  list.addEventListener('click', close)
}

const countOf = (count: number) => {
  if (count === 0) return 'Nothing found. Try fewer or other words.'
  return count > most
    ? `The first ${most} of ${count} results`
    : `${count} ${count === 1 ? 'result' : 'results'}`
}

function itemOf({ id, heading, title }: SearchResult): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = String(id)
  link.append(String(heading || title))
  const page = document.createElement('small')
  page.append(String(title))
  link.append(page)
  item.append(link)
  return item
}
