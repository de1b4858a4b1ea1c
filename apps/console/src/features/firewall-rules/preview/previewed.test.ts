import { expect, it } from 'vitest'
import { ruleNamed } from '../rules/ruleForTests.ts'
import { emptyValues, valuesOf, type RuleValues } from '../rules/values.ts'
import { isAsStored, missingIn, previewed } from './previewed.ts'

const values = (more: Partial<RuleValues> = {}): RuleValues => ({ ...emptyValues, appliesTo: 'all', ...more })

it('says which parts are missing', () => {
  expect(missingIn(emptyValues)).toEqual(['Choose its targets.'])
  expect(missingIn(values())).toEqual([])
  expect(missingIn(values({ priority: Number.NaN }))).toEqual(['Enter a valid priority.'])
  expect(missingIn(values({ priority: 65_536 }))).toEqual(['Enter a valid priority.'])
  const pings = values({ ports: ['22'], protocols: [{ type: 'icmp', value: null }] })
  expect(missingIn(pings)).toEqual(['Add TCP or UDP, or remove the ports.'])
})

it('needs no name, and takes no name of another rule', () => {
  expect(previewed(values({ name: 'web' }), ['ssh']).name).toBe('web')
  expect(previewed(values({ name: '' }), []).name).toBe('this-rule')
  expect(previewed(values({ name: 'Web' }), []).name).toBe('this-rule')
  expect(previewed(values({ name: 'ssh' }), ['ssh']).name).toBe('this-rule')
  expect(previewed(values(), ['this-rule', 'this-rule-copy']).name).toBe('this-rule-copy-copy')
})

it('does not ask again for another description', () => {
  expect(previewed(values({ description: 'a' }), [])).toEqual(previewed(values({ description: 'b' }), []))
})

it('is as stored until something is changed that the rule does', () => {
  const seen = ruleNamed('web', 10, { filters: { hosts: null, ports: ['80'], protocols: null } })
  const opened = valuesOf(seen)
  expect(isAsStored({ ...opened, name: 'other', description: 'x' }, seen)).toBe(true)
  expect(isAsStored({ ...opened, ports: [] }, seen)).toBe(false)
  expect(isAsStored({ ...opened, status: false }, seen)).toBe(false)
})
