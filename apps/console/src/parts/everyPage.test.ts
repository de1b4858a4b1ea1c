import { userList } from '@purlin/contract/operations/silo'
import { expect, it } from 'vitest'
import { setLink } from '../transport.ts'
import { everyPage } from './everyPage.ts'

const user = (n: number) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  display_name: `user-${n}`,
  silo_id: '00000000-0000-4000-8000-000000000000',
})
const pages: Record<string, object> = {
  first: { items: [user(1), user(2)], next_page: 'second' },
  second: { items: [user(3)], next_page: 'third' },
  third: { items: [], next_page: null },
}

it('reads page after page until there is none, with the same filter', async () => {
  const urls: string[] = []
  setLink({
    send: ({ url }) => {
      urls.push(url)
      const page = new URLSearchParams(url.split('?')[1]).get('page_token') ?? 'first'
      return Promise.resolve({
        status: 200,
        header: () => null,
        text: () => Promise.resolve(JSON.stringify(pages[page])),
      })
    },
    openSocket: () => {
      throw new Error('not used')
    },
  })
  const group = '00000000-0000-4000-8000-0000000000ff'
  const users = await everyPage(userList, { query: { group } }).queryFn({
    signal: new AbortController().signal,
  })
  expect(users.map(({ displayName }) => displayName)).toEqual(['user-1', 'user-2', 'user-3'])
  expect(urls).toHaveLength(3)
  expect(urls.every((url) => url.includes(`group=${group}`) && url.includes('limit=1000'))).toBe(true)
})
