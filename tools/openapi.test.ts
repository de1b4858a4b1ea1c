import { limits } from '@purlin/contract/rules/limits'
import { expect, it } from 'vitest'
import { openApiDocument } from './openapi.ts'

interface Described {
  description?: string
}
interface Operation extends Described {
  summary: string
  parameters?: (Described & { name: string; schema: object })[]
}
interface Component {
  properties?: Record<string, Described>
  oneOf?: Component[]
}
const document = openApiDocument() as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Component> }
}

it('the document describes every operation, parameter and property', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  const { Error: _, ...schemas } = document.components.schemas
  const objects = Object.values(schemas).flatMap((schema) => schema.oneOf ?? [schema])
  const described: Described[] = [
    ...operations,
    ...operations.flatMap(({ parameters = [] }) => parameters),
    ...objects.flatMap(({ properties = {} }) => Object.values(properties)),
  ]
  expect(described.length).toBeGreaterThan(1500)
  expect(described.filter(({ description }) => !description)).toEqual([])
})

it('an integer has a maximum if it is less than its width allows', () => {
  const query = document.paths['/v1/search']?.['get']?.parameters?.find(({ name }) => name === 'limit')
  expect(query?.schema).toMatchObject({ format: 'uint32', minimum: 1, maximum: limits.search.max })
  expect(JSON.stringify(document.components.schemas['VpcFirewallRule'])).not.toContain('maximum')
})

it('a property that refers to a schema has a description next to the reference', () => {
  expect(document.components.schemas['DiskCreate']?.properties?.['disk_source']).toEqual({
    allOf: [{ $ref: '#/components/schemas/DiskSource' }],
    description: 'The content of the new disk.',
  })
})
