import { array, defaulted, object, string } from '@purlin/contract/schema'
import { expect, it } from 'vitest'
import { openWorld } from '#/testing/world.ts'
import { parseBody } from './json.ts'

const Note = object({
  title: string({ maxLength: 4 }),
  ruled: defaulted(string({ maxLength: 4, isRule: true }), () => ''),
  tags: defaulted(array(string({ maxLength: 2 }), { count: 2, noun: 'tags', isRule: true }), () => []),
})
const refusal = (body: object) => {
  try {
    parseBody(Note, JSON.stringify(body))
    return undefined
  } catch (error) {
    const { status, code, message } = error as { status: number; code?: string; message: string }
    return { status, code, message }
  }
}
const tooLong = (field: string, most: number, length: number) => ({
  status: 400,
  code: 'InvalidValue',
  message: `unsupported value for "${field}": may contain at most ${most} characters, this one has ${length}`,
})

it('a text of the greatest length is accepted, a longer one is refused by field and limit', () => {
  expect(refusal({ title: 'four' })).toBeUndefined()
  expect(refusal({ title: 'fives' })).toEqual(tooLong('title', 4, 5))
  expect(refusal({ title: '', tags: ['ok', 'not'] })).toEqual(tooLong('tags[1]', 2, 3))
})

it('characters are counted, not the units that they are stored in', () => {
  expect(refusal({ title: '😀😀😀😀' })).toBeUndefined()
  expect(refusal({ title: '😀😀😀😀😀' })).toEqual(tooLong('title', 4, 5))
})

it('a text that a rule refuses with its own message is read a little beyond its maximum', () => {
  expect(refusal({ title: '', ruled: '12345678', tags: ['a', 'b', 'c', 'd'] })).toBeUndefined()
  expect(refusal({ title: '', ruled: '123456789' })).toEqual(tooLong('ruled', 4, 9))
  expect(refusal({ title: '', tags: ['a', 'b', 'c', 'd', 'e'] })?.message).toMatch(
    /tags: invalid length 5, expected a list of at most 2 tags/,
  )
})

it('the texts and lists that filled the disk are refused', async () => {
  const w = await openWorld()
  const as = w.as('projectAdmin')
  const query = { project: 'demo' }
  const identity = { name: 'new', description: '' }
  const source = { type: 'snapshot' as const, id: w.world.ids.uuid() }
  const image = { ...identity, os: 'debian', version: '13', source }
  const nic = { ...identity, vpcName: 'default', subnetName: 'default' }
  const instance = { ...identity, ncpus: 1, memory: 2 ** 30, hostname: 'new' }
  const long = 'x'.repeat(256)
  const attempts: [string, () => Promise<unknown>][] = [
    ['"os"', () => as.imageCreate({ query, body: { ...image, os: long } })],
    ['"version"', () => as.imageCreate({ query, body: { ...image, version: long } })],
    ['"description"', () => as.projectUpdate({ params: query, body: { description: 'x'.repeat(513) } })],
    [
      'transit_ips: invalid length 65, expected a list of at most 64 transit IPs',
      () =>
        as.instanceNetworkInterfaceCreate({
          query: { ...query, instance: 'web' },
          body: { ...nic, transitIps: Array.from({ length: 65 }, (_, i) => `10.${i}.0.0/16`) },
        }),
    ],
    [
      'anti_affinity_groups: invalid length 33, expected a list of at most 16 anti-affinity groups',
      () => as.instanceCreate({ query, body: { ...instance, antiAffinityGroups: Array(33).fill('one') } }),
    ],
  ]
  for (const [reason, attempt] of attempts)
    await expect(attempt()).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(reason) as string,
    })
  await w.close()
})
