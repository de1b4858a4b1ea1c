import { projectPolicyUpdate, projectPolicyView } from '@purlin/contract/operations/projects'
import { describe, expect, it, vi } from 'vitest'
import { rewrite } from './rewrite.ts'
import { setLink } from './transport.ts'

/** A server that holds one policy, which others write into before some of our writes. */
function serverWith(racing: number) {
  let version = 1
  let left = racing
  const methods: string[] = []
  setLink({
    send: ({ method, headers }) => {
      methods.push(method)
      if (method === 'PUT' && left-- > 0) version++
      const isStale = method === 'PUT' && headers['if-match'] !== `"${version}"`
      const body = isStale ? { message: 'changed', request_id: 'r' } : { role_assignments: [] }
      return Promise.resolve({
        status: isStale ? 412 : 200,
        header: (name) => (name === 'etag' ? `"${version}"` : null),
        text: () => Promise.resolve(JSON.stringify(body)),
      })
    },
    openSocket: () => {
      throw new Error('not used')
    },
  })
  return methods
}
const attempt = (change = () => ({ roleAssignments: [] })) =>
  rewrite(
    { view: projectPolicyView, update: projectPolicyUpdate, args: { params: { project: 'demo' } } },
    change,
  )

describe('a change of a part', () => {
  it('is written on condition that nothing has changed since it was read', async () => {
    const methods = serverWith(0)
    await attempt()
    expect(methods).toEqual(['GET', 'PUT'])
  })
  it('is made anew of what others have written meanwhile', async () => {
    const methods = serverWith(2)
    const change = vi.fn(() => ({ roleAssignments: [] }))
    await attempt(change)
    expect(methods).toEqual(['GET', 'PUT', 'GET', 'PUT', 'GET', 'PUT'])
    expect(change).toHaveBeenCalledTimes(3)
  })
  it('is given up when others never stop', async () => {
    vi.stubGlobal('window', { location: { pathname: '/', search: '' } })
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const methods = serverWith(Infinity)
    await expect(attempt()).rejects.toMatchObject({ status: 412 })
    expect(methods).toHaveLength(10)
    expect(console.error).toHaveBeenCalledTimes(1)
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
  it('is not written if it cannot be made', async () => {
    const methods = serverWith(0)
    const no = () => {
      throw new Error('no')
    }
    await expect(attempt(no)).rejects.toThrow('no')
    expect(methods).toEqual(['GET'])
  })
})
