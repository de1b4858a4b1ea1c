import { expect, it } from 'vitest'
import { openApiDocument } from './openapi.ts'

interface Described {
  description?: string
}
interface Operation extends Described {
  summary: string
  parameters?: Described[]
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

it('a property that refers to a schema has a description next to the reference', () => {
  expect(document.components.schemas['DiskCreate']?.properties?.['disk_source']).toEqual({
    allOf: [{ $ref: '#/components/schemas/DiskSource' }],
    description: 'The content of the new disk.',
  })
})
