import { aboutOf } from '@purlin/contract/rules/messages'
import { expect, it } from 'vitest'
import { fault } from './faults.ts'

it.each([
  fault.exists('vpc-subnet', 'web'),
  fault.notFound('silo-image', 'debian'),
  fault.notFound('disk', '6d4b6ac5-8b6e-4f0c-9d5a-0c7fd9f0f2f1'),
  fault.invalidValue('role_assignments', 'no silo user of this silo has the id "x"'),
  fault.noDefaultPool(),
  fault.conflict('disk was changed by another request, try again'),
])('$message names its subject to clients', ({ message, about }) => expect(aboutOf(message)).toEqual(about))
