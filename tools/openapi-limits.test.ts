import { countNames } from '@purlin/contract/rules/counts'
import { kinds } from '@purlin/contract/rules/kinds'
import { expect, it } from 'vitest'
import { openApiDocument } from './openapi.ts'

type Operation = { operationId: string; description?: string }
const document = openApiDocument() as { paths: Record<string, Record<string, Operation>>; 'x-limits': object }
const operations = Object.values(document.paths).flatMap((path) => Object.values(path))

it('the document has all limits in one table', () => {
  expect(document).toMatchObject({
    'x-limits': {
      counts: { 'instance-per-project': 10_000, 'instance-per-silo': 50_000, 'ssh-key-per-user': 1_000 },
      sessions_per_user: 50,
      requests: { instance: { max_cpus: 64 }, page: { max: 10_000 } },
    },
  })
})

it('the operation that creates a kind says how many there may be', () => {
  const saying = operations.filter(({ description }) => description?.includes('answered 507'))
  const limited = new Set(countNames.map(({ kind }) => kind))
  expect(saying).toHaveLength(limited.size)
  const of = (id: string) => saying.find(({ operationId }) => operationId === id)?.description
  expect(of('instance_create')).toContain('10000 per project and 50000 per silo')
  expect(of('vpc_subnet_create')).toContain(`500 per ${kinds.vpc.noun}`)
  expect(of('current_user_ssh_key_create')).toContain('1000 per user')
  expect(of('anti_affinity_group_create')).toContain('1000 per project')
})
