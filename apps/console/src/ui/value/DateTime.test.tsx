import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { serverNow } from '#/lib/clock.ts'
import { ExactTime } from './DateTime.tsx'

it.each([
  [-3, '3 days ago'],
  [2, 'in 1 day'],
])('the exact time of %i days from now says %s', (days, words) => {
  // A moment more, so that the day has not ended when it is drawn.
  const date = new Date(serverNow() + days * 86_400_000 - 60_000)
  expect(renderToStaticMarkup(<ExactTime date={date} />)).toContain(`>${words}<`)
})
