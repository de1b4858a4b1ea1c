/** The measured requests. */
import type { Load } from '../load.ts'
import { instanceName, project } from '../seed.ts'
import { admin } from '@purlin/server/testing/process'
import type { Api } from '@purlin/server/testing/requests'

export type Request = Pick<
  Load,
  'method' | 'path' | 'body' | 'isAnew' | 'groups' | 'indexes' | 'tokens' | 'connections'
>

const pageSize = 50
const readers = 10
const listPath = `/v1/instances?project=${project}&limit=${pageSize}`

export const viewAnew = (count: number): Request => ({
  method: 'GET',
  path: `/v1/instances/${instanceName('<index>')}?project=${project}`,
  isAnew: true,
  indexes: count,
  connections: readers,
})

/** Full pages from anywhere in a project of `count` instances. */
export async function listAnew(api: Api, count: number): Promise<Request> {
  const { nextPage } = await api.instanceList({ query: { project, limit: pageSize } })
  if (!nextPage) throw new Error(`a list of ${count} instances should have a second page`)
  const places = count - pageSize
  const tokens = Array.from({ length: Math.min(1000, places) }, () =>
    tokenAfter(nextPage, instanceName(Math.floor(Math.random() * places))),
  )
  return {
    method: 'GET',
    path: `${listPath}&page_token=<token>`,
    isAnew: true,
    tokens,
    connections: readers,
  }
}

/** The token of a page, moved to another place. */
function tokenAfter(token: string, last: string): string {
  const content = JSON.parse(Buffer.from(token, 'base64url').toString()) as { page_start: { last: string } }
  content.page_start.last = last
  return encodeURIComponent(Buffer.from(JSON.stringify(content)).toString('base64'))
    .replaceAll('%2B', '-')
    .replaceAll('%2F', '_')
}

/** Projects that new instances are spread over: a default subnet has room for 1019. */
export const projects = 40
const writers = 32
const newInstance = {
  name: 'new-<serial>',
  description: 'Made to be measured',
  hostname: 'new',
  ncpus: 2,
  memory: 2 ** 32,
  start: false,
}
const create = (group: string, more: object): Request => ({
  method: 'POST',
  path: `/v1/instances?project=${group}-<group>`,
  groups: projects,
  connections: writers,
  body: JSON.stringify({ ...newInstance, ...more }),
})
/** With an interface, a private address and a share of an external one. */
export const createDefault = create('default', {})
export const createPlain = create('plain', { network_interfaces: { type: 'none' } })

export const signInAnew: Request = {
  method: 'POST',
  path: `/v1/login/${admin.silo}/local`,
  connections: 4,
  body: JSON.stringify({ username: admin.user, password: admin.password }),
}
