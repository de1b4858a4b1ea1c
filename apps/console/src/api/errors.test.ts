import { describe, expect, it } from 'vitest'
import { diskCreate } from '@purlin/contract/operations/storage/disks'
import { ApiError, call } from '@purlin/contract/client'
import { errorMessage, NameTakenError, takenName } from './errors.ts'

const failed = (message: string, more: { code?: string; resource?: string } = {}, status = 400) =>
  new ApiError('POST /v1/disks', status, { message, ...more })
const taken = (message: string, resource?: string) =>
  failed(message, { code: 'ObjectAlreadyExists', ...(resource === undefined ? {} : { resource }) })

describe('a name that is taken', () => {
  it.each([
    ['already exists: disk "web"', 'instance', 'Disk name already exists'],
    ['already exists: disk', 'instance', 'Disk name already exists'],
    ['already exists: ssh-key "mine"', 'ssh-key', 'SSH key name already exists'],
    ['already exists: project-image "debian"', 'image', 'Image name already exists'],
    ['already exists: silo-image "debian"', 'image', 'Silo image name already exists'],
    ['already exists: rack-unit "u1"', 'rack-unit', 'Rack unit name already exists'],
    ['already exists: resource "web"', 'disk', 'Disk name already exists'],
    ['already exists: volume "web"', 'disk', 'Disk name already exists'],
    ['that name is in use', 'disk', 'Disk name already exists'],
    ['that name is in use', 'floating-ip', 'Floating IP name already exists'],
    ['that name is in use', undefined, 'Resource name already exists'],
  ])('%s, of an operation on %s: %s', (message, resource, text) =>
    expect(errorMessage(taken(message, resource))).toBe(text),
  )
  it('is the own one of what is created, unless something else is created along with it', () => {
    expect(takenName(taken('already exists: instance "a"', 'instance'))?.isOwn).toBe(true)
    expect(takenName(taken('already exists: project-image "a"', 'image'))?.isOwn).toBe(true)
    expect(takenName(taken('in use', 'disk'))?.isOwn).toBe(true)
    expect(takenName(taken('already exists: volume "a"', 'disk'))?.isOwn).toBe(true)
    expect(takenName(taken('already exists: resource', 'disk'))?.isOwn).toBe(true)
    expect(takenName(taken('already exists: snapshot "a"'))?.isOwn).toBe(true)
    expect(takenName(new NameTakenError('image'))?.isOwn).toBe(true)
    expect(errorMessage(new NameTakenError('image'))).toBe('Image name already exists')
    expect(takenName(taken('already exists: disk "a"', 'instance'))).toEqual({
      type: 'disk',
      name: 'a',
      isOwn: false,
    })
  })
  it('belongs to the resource that the operation answers with', async () => {
    const text = JSON.stringify({ message: 'in use', error_code: 'ObjectAlreadyExists' })
    const transport = () => Promise.resolve({ status: 400, headers: {}, body: text })
    const args = {
      query: { project: 'demo' },
      body: { name: 'a', description: '', size: 1, diskSource: { type: 'blank', blockSize: 512 } },
    } as const
    const error = await call(transport, { name: 'diskCreate', op: diskCreate, args }).catch((e: unknown) => e)
    expect(errorMessage(error)).toBe('Disk name already exists')
    expect(error).toMatchObject({ url: '/v1/disks?project=demo', resource: 'disk' })
  })
})

describe('other failures', () => {
  it('a body that cannot be parsed is said without prefix and position', () => {
    expect(errorMessage(failed('unable to parse JSON body: name: too long at line 3 column 14'))).toBe(
      'Name: too long',
    )
    expect(errorMessage(failed('unable to parse JSON body: the request ended early'))).toBe(
      'The request ended early',
    )
  })
  it('are said in the server’s words, if it has any', () => {
    expect(errorMessage(failed('not found: disk with name "a"', {}, 404))).toBe(
      'Not found: disk with name "a"',
    )
    expect(errorMessage(failed('', {}, 500))).toBe('Unknown server error')
    expect(errorMessage(failed('no', { code: 'Forbidden' }, 403))).toBe('Action not authorized')
  })
})
