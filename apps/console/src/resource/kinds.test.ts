import { kindsWith } from '@purlin/contract/rules/kinds'
import { expect, it } from 'vitest'
import type { Kind } from './kind.ts'
import { kinds } from './kinds.ts'

it.each(kindsWith('section'))('the list of kind %s leads to no form that it does not have', (name) => {
  const { create, update, section }: Kind = kinds[name]
  const leads = [...(create ? ['create'] : []), ...(update ? ['edit'] : [])]
  expect(section.forms).toEqual(expect.arrayContaining(leads))
})
