import { expect, it } from 'vitest'
import { fieldLimits } from './field-limits.ts'
import { op } from './op.ts'
import { policyUpdate } from './operations/access/policies.ts'
import { projectCreate, projectUpdate } from './operations/projects/projects.ts'
import { limits } from './rules/limits.ts'
import { nameMaxLength } from './rules/names.ts'
import { boolean, defaulted, nullable, object, optional, ref, string } from './schema.ts'
import { uint16 } from './schemas/integers.ts'

const example = op({
  method: 'POST',
  path: '/v1/examples',
  allow: 'user',
  ok: 201,
  tag: 'examples',
  body: object({
    title: ref('Title', string({ maxLength: 80 })),
    note: optional(nullable(string({ maxLength: 20 }))),
    port: defaulted(uint16, () => 80),
    open: boolean(),
  }),
})

it('the limits of a field come from its schema, also if the schema is wrapped', () => {
  expect(fieldLimits(example, 'title')).toEqual({ isRequired: true, maxLength: 80 })
  expect(fieldLimits(example, 'note')).toEqual({ isRequired: false, maxLength: 20 })
  expect(fieldLimits(example, 'port')).toEqual({ isRequired: false, min: 0, max: 65_535 })
  expect(fieldLimits(example, 'open')).toEqual({ isRequired: true })
})

it('names and lists have the limits of the rules', () => {
  expect(fieldLimits(projectCreate, 'name')).toEqual({ isRequired: true, maxLength: nameMaxLength })
  expect(fieldLimits(projectUpdate, 'name')).toEqual({ isRequired: false, maxLength: nameMaxLength })
  const { assignments } = limits.policy
  expect(fieldLimits(policyUpdate, 'roleAssignments')).toEqual({ isRequired: true, maxItems: assignments })
})

it('a field that the body does not have is an error', () => {
  // @ts-expect-error the test needs a wrong key
  expect(() => fieldLimits(example, 'titel')).toThrow('POST /v1/examples has no field titel')
})
