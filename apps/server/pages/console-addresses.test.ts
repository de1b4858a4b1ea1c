import { expect, it } from 'vitest'
import { createPageFinder } from './console-addresses.ts'

const framed = [
  '/',
  '/projects',
  '/projects/$project',
  '/lookup/$resource',
  '/images/$image',
  '/device/verify',
  '/find',
]
const table = [
  ...framed.map((address) => ({ address, hasFrame: true })),
  { address: '/login/$silo/local', hasFrame: false },
  { address: '/login/$silo', hasFrame: false },
  { address: '/login/$silo/saml/$provider', hasFrame: false },
]
const known = new Map([
  ['/', '/'],
  ['/projects', '/projects'],
  ['/device/verify', '/device/verify'],
  ['/find', '/find'],
  ['/login/acme/local', '/login/$silo/local'],
  ['/login/acme', '/login/$silo'],
  ['/login/acme/saml/idp', '/login/$silo/saml/$provider'],
])
const pageAt = createPageFinder(table, (path) => {
  const address = known.get(path)
  const load = table.find((one) => one.address === address)
  return load ? { ...load, files: [], requests: [] } : null
})

it.each([
  ['/', 'console'],
  ['/projects', 'console'],
  ['/find', 'console'],
  ['/projects/demo/gone', 'console'],
  ['/lookup/a/b', 'console'],
  ['/images-new', 'console'],
  ['/device/verify', 'console'],
  ['/login/acme/local', 'sign-in'],
  ['/login/acme/saml/idp', 'sign-in'],
  ['/login/acme', 'sign-in'],
  ['/device/auth', null],
  ['/find/x', null],
  ['/projectsx', null],
  ['/v1/projects', null],
])('the page at %s is %s', (path, page) => {
  expect(pageAt(path)).toBe(page)
})
