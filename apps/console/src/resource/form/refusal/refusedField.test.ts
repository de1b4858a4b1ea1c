import { ApiError } from '@purlin/contract/client'
import { messages } from '@purlin/contract/rules/messages'
import { describe, expect, it } from 'vitest'
import { NameTakenError } from '#/api/errors.ts'
import { refusedField } from './refusedField.ts'

const failed = (message: string, status = 400, code?: string) =>
  new ApiError('diskCreate', status, { message, resource: 'disk', ...(code === undefined ? {} : { code }) })
const of = (...names: string[]) => new Map<string, unknown>(names.map((name) => [name, '']))

describe('the field of a refusal', () => {
  it.each([
    ['unable to parse JSON body: size: too small at line 1 column 9', ['name', 'size'], 'size'],
    [
      'unable to parse JSON body: disk_source.block_size: no at line 1 column 9',
      ['size', 'blockSize'],
      'blockSize',
    ],
    ['unable to parse JSON body: disks[0].size: too small at line 1 column 9', ['name', 'disks'], 'disks'],
    ['unable to parse JSON body: the request ended early', ['name', 'the'], undefined],
    ['unsupported value for "time_zone": no', ['name', 'timeZone'], 'timeZone'],
    ['unsupported value for "private-key": no', ['cert', 'key'], 'key'],
    ['not found: ip-pool with name "edge"', ['name', 'pool'], 'pool'],
    ['not found: vpc-subnet with name "web"', ['vpcName', 'subnetName'], 'subnetName'],
    ['not found: project with name "demo"', ['name'], undefined],
    [messages.externalIpNotAvailable({}), ['name', 'ip'], 'ip'],
    [messages.limitExceeded({ noun: 'Storage', reason: '…' }), ['name', 'size'], 'size'],
    [messages.limitExceeded({ noun: 'Memory', reason: '…' }), ['cpus', 'memoryGiB'], 'memoryGiB'],
    [messages.limitExceeded({ noun: 'vCPU', reason: '…' }), ['preset'], 'preset'],
    [messages.limitExceeded({ noun: 'Disk', reason: '…' }), ['size'], undefined],
    ['the disk is attached', ['disk', 'name'], undefined],
  ])('%s, of %j: %s', (message, names, field) =>
    expect(refusedField(failed(message, message.startsWith('not found') ? 404 : 400), of(...names))).toBe(
      field,
    ),
  )

  it('is the name where that is taken, and not where that of another resource is', () => {
    expect(refusedField(new NameTakenError('disk'), of('size', 'name'))).toBe('name')
    const taken = (text: string) => failed(`already exists: ${text}`, 400, 'ObjectAlreadyExists')
    expect(refusedField(taken('disk "data"'), of('size', 'name'))).toBe('name')
    const shown = new Map([
      ['name', 'snap'],
      ['from', 'data'],
    ])
    expect(refusedField(taken('snapshot "data"'), shown)).toBe('from')
  })

  it('is, of several for such a resource, the one with the name that the message has', () => {
    const shown = new Map([
      ['pool', 'office'],
      ['ipPool', 'edge'],
    ])
    expect(refusedField(failed('not found: ip-pool with name "edge"', 404), shown)).toBe('ipPool')
  })

  it('is the only one with a value that the message quotes', () => {
    const message = "IP address range '10.0.0.1/24' has a non-zero host identifier"
    const shown = new Map([['block', '10.0.0.1/24']])
    expect(refusedField(failed(message), shown)).toBe('block')
    expect(refusedField(failed(message), new Map([...shown, ['other', '10.0.0.1/24']]))).toBeUndefined()
    expect(refusedField(failed(message, 500), shown)).toBeUndefined()
    expect(refusedField(new Error("'10.0.0.1/24'"), shown)).toBeUndefined()
  })
})
