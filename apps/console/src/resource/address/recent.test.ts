import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setPageUser } from '#/api/session.ts'

const storage = new Map<string, string>()
vi.stubGlobal('localStorage', {
  getItem: (key: string) => storage.get(key) ?? null,
  setItem: (key: string, text: string) => void storage.set(key, text),
  removeItem: (key: string) => void storage.delete(key),
})

/** The module as after a load of the page. */
async function load() {
  vi.resetModules()
  const session = await import('#/api/session.ts')
  session.setPageUser('anna')
  return import('./recent.ts')
}
const hrefs = (places: readonly { href: string }[]) => places.map(({ href }) => href)

beforeEach(() => {
  storage.clear()
  setPageUser('anna')
})

describe('visited and starred pages', () => {
  it('are kept over a reload: the latest 20, each once, by name and address only', async () => {
    const first = await load()
    for (let n = 0; n < 25; n += 1) first.noteVisit(`/${n}`, ['Projects', `p${n}`])
    first.noteVisit('/20', ['Projects', 'p20'])
    const { recentStore } = await load()
    expect(recentStore.get()).toHaveLength(20)
    expect(recentStore.get()[0]).toEqual({ label: 'p20', detail: 'Projects', href: '/20' })
    expect(hrefs(recentStore.get()).filter((href) => href === '/20')).toHaveLength(1)
  })

  it('are starred up to 50, and the star can be taken away', async () => {
    const { toggleFavourite, favouriteStore } = await load()
    for (let n = 0; n < 51; n += 1) toggleFavourite(`/${n}`, [`p${n}`])
    expect(favouriteStore.get()).toHaveLength(50)
    expect(hrefs(favouriteStore.get())).not.toContain('/50')
    toggleFavourite('/3', ['p3'])
    expect(hrefs(favouriteStore.get())).not.toContain('/3')
    expect(favouriteStore.get()).toHaveLength(49)
  })

  it('are taken away for good, also in another tab that knew them', async () => {
    const { toggleFavourite, favouriteStore } = await load()
    toggleFavourite('/a', ['a'])
    storage.set('purlin-favourites:anna', '[]')
    toggleFavourite('/b', ['b'])
    expect(hrefs(favouriteStore.get())).toEqual(['/b'])
  })

  it('that were visited are gone after signing out', async () => {
    const { noteVisit, toggleFavourite } = await load()
    const { forgetWithSession } = await import('../kept.ts')
    noteVisit('/a', ['a'])
    toggleFavourite('/a', ['a'])
    forgetWithSession()
    noteVisit('/b', ['b'])
    expect([...storage.keys()]).toEqual(['purlin-favourites:anna'])
  })

  it('are those of one user', async () => {
    const { toggleFavourite } = await load()
    toggleFavourite('/a', ['a'])
    expect([...storage.keys()]).toEqual(['purlin-favourites:anna'])
  })

  it('are forgotten once their resource is gone, those around and below it are not', async () => {
    const { noteVisit, recentStore, forgetPlaces, toggleFavourite, favouriteStore } = await load()
    const web = '/projects/demo/instances/web'
    noteVisit('/projects/demo', ['demo'])
    noteVisit(web, ['demo', 'web'])
    toggleFavourite(web, ['demo', 'web'])
    forgetPlaces(`${web}/storage`)
    expect(hrefs(recentStore.get())).toEqual(['/projects/demo'])
    expect(favouriteStore.get()).toEqual([])
  })

  it('do without what is not theirs in the storage', async () => {
    storage.set('purlin-recent:anna', '[{"label":1},null,{"label":"a","detail":"","href":"/a"}]')
    expect(hrefs((await load()).recentStore.get())).toEqual(['/a'])
    storage.set('purlin-recent:anna', '{')
    expect((await load()).recentStore.get()).toEqual([])
  })
})
