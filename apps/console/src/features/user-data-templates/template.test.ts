import { describe, expect, it } from 'vitest'
import {
  bodyOf,
  copyOf,
  emptyValues,
  newFields,
  textProblem,
  valuesOf,
  type UserDataTemplate,
} from './template.ts'

const text = '#cloud-config\nhostname: <<<host>>>\nkeys: <<<keys>>>\n'
const template: UserDataTemplate = {
  id: '00000000-0000-4000-8000-000000000001',
  projectId: '00000000-0000-4000-8000-000000000002',
  name: 'web',
  description: 'of the shop',
  timeCreated: new Date(0),
  timeModified: new Date(0),
  text,
  fields: [
    { name: 'host', type: 'text', label: 'Host name', help: 'Short', default: 'web-1', required: true },
    { name: 'keys', type: 'ssh_keys' },
  ],
}

describe('the form of a template', () => {
  it('sends what it was filled with', () => {
    const { name, description, fields } = template
    expect(bodyOf(valuesOf(template))).toEqual({ name, description, text, fields })
    expect(bodyOf(copyOf(template))).toEqual({ name: 'web-copy', description, text, fields })
  })

  it('has the fields of its text only, and keeps what was entered for the others', () => {
    const values = { ...valuesOf(template), text: '#cloud-config\nfqdn: <<<fqdn>>>\n' }
    expect(Object.keys(newFields(values.text, values.fields))).toEqual(['fqdn'])
    expect(bodyOf(values).fields).toEqual([{ name: 'fqdn', type: 'text' }])
    expect(bodyOf({ ...values, text }).fields).toEqual(template.fields)
  })

  it('sends no default of a secret', () => {
    const { fields } = valuesOf(template)
    const host = { type: 'secret', label: '', help: '', default: 'hidden', required: false } as const
    const values = { ...emptyValues('#!/bin/sh\necho <<<host>>>'), fields: { ...fields, host } }
    expect(bodyOf(values).fields).toEqual([{ name: 'host', type: 'secret' }])
  })

  it('reports a mistake of the text with its line, by the type of its fields', () => {
    const values = valuesOf(template)
    expect(textProblem(text, values)).toBeUndefined()
    expect(textProblem(' ', values)).toBe('A text is needed')
    expect(textProblem('#cloud-config\na: [<<<keys>>>]', values)).toMatch(/^Line 2: keys is a list already/)
    expect(textProblem('#cloud-config\na: [b', values)).toMatch(/^Line 2: /)
  })
})
