/** Prints the OpenAPI 3.0 document, made from the contract's table of operations. */
import { pathToFileURL } from 'node:url'
import { isPaged } from '@purlin/contract/client'
import { aboutField } from '@purlin/contract/about/fields'
import { aboutOperation, titleOf } from '@purlin/contract/about/operations'
import { operations, type OperationName } from '@purlin/contract/operations'
import type { OpShape } from '@purlin/contract/op'
import { bare, type Field, type Node, type ObjectNode } from '@purlin/contract/schema'
import { ownMaximum } from '@purlin/contract/schemas/integers'
import { mediaTypes } from '@purlin/contract/schemas/media-types'
import { snake } from '@purlin/contract/wire'
import { allLimits, limitsOfCreate } from './openapi-limits.ts'

type Json = Record<string, unknown>
type Components = Map<string, Json>

/** A place in the document: the schema of a node, its owner in `about`, and where named schemas go. */
interface Place {
  owner: string
  components: Components
}

/** The schema of a node; named ones go to the components and are referred to. */
function schemaOf(node: Node, place: Place): Json {
  if (node.kind !== 'ref') return plain(node, place)
  const { components } = place
  if (!components.has(node.name)) {
    components.set(node.name, {})
    components.set(node.name, schemaOf(node.inner, { owner: node.name, components }))
  }
  return { $ref: `#/components/schemas/${node.name}` }
}

function plain(node: Exclude<Node, { kind: 'ref' }>, place: Place): Json {
  switch (node.kind) {
    case 'string': {
      const { format, maxLength, pattern } = node
      return {
        type: 'string',
        ...(format ? { format } : {}),
        ...(maxLength ? { maxLength } : {}),
        ...(pattern ? { pattern } : {}),
      }
    }
    case 'integer': {
      const most = ownMaximum(node)
      return {
        type: 'integer',
        format: node.format,
        ...(node.min > Number.MIN_SAFE_INTEGER ? { minimum: node.min } : {}),
        ...(most === undefined ? {} : { maximum: most }),
      }
    }
    case 'number':
      return { type: 'number', format: 'double' }
    case 'boolean':
      return { type: 'boolean' }
    case 'time':
      return { type: 'string', format: 'date-time' }
    case 'bytes':
      return { type: 'string', format: 'byte', maxLength: encodedLength(node.max) }
    case 'json':
      return {}
    case 'base64':
      return { type: 'string', maxLength: encodedLength(node.max) }
    case 'enum':
      return { type: typeof node.values[0] === 'number' ? 'integer' : 'string', enum: node.values }
    case 'array':
      return {
        type: 'array',
        items: schemaOf(node.item, place),
        ...(node.max ? { maxItems: node.max.count } : {}),
      }
    case 'record':
      return {
        type: 'object',
        additionalProperties: schemaOf(node.value, place),
        ...(node.max ? { maxProperties: node.max.count } : {}),
      }
    case 'nullable':
      return nullableOf(schemaOf(node.inner, place))
    case 'object':
      return objectOf(node, place)
    case 'union':
      return { oneOf: [...node.arms.values()].map((arm) => objectOf(arm, place)) }
  }
}

/** The length of this many bytes in base64. */
const encodedLength = (bytes: number): number => Math.ceil(bytes / 3) * 4

// A reference stands alone in OpenAPI 3.0; other fields would be ignored.
const nullableOf = (schema: Json): Json =>
  '$ref' in schema ? { allOf: [schema], nullable: true } : { ...schema, nullable: true }

/** The schema of a field with the sentence about it. */
function describedOf(field: Field, { owner, components }: Place): Json {
  const schema = schemaOf(field.node, { owner: `${owner}.${field.key}`, components })
  const description = aboutField(owner, field)
  return '$ref' in schema ? { allOf: [schema], description } : { ...schema, description }
}

function objectOf(node: ObjectNode, place: Place): Json {
  if (node.isChoice)
    return {
      oneOf: node.fields.map((field) =>
        objectOf({ kind: 'object', fields: [{ ...field, optional: false }] }, place),
      ),
    }
  const required = node.fields.filter((f) => !f.optional && !f.fallback).map((f) => f.wire)
  return {
    type: 'object',
    properties: Object.fromEntries(node.fields.map((f) => [f.wire, describedOf(f, place)])),
    ...(required.length ? { required } : {}),
  }
}

function parametersOf(op: OpShape, { owner, components }: Place): Json[] {
  const fields = (part: 'params' | 'query') => {
    const node = op[part] ? bare(op[part].node) : undefined
    return node?.kind === 'object' ? node.fields : []
  }
  const parameterOf = (f: Field) => ({
    description: aboutField(owner, f),
    schema: schemaOf(f.node, { owner: `${owner}.${f.key}`, components }),
  })
  const path = fields('params').map((f) => ({
    in: 'path',
    name: f.wire,
    required: true,
    ...parameterOf(f),
  }))
  // With a page token nothing else need be sent, so that no parameter of a list is required.
  const query = fields('query').map((f) => ({
    in: 'query',
    name: f.wire,
    ...(f.optional || f.fallback || isPaged(op) ? {} : { required: true }),
    ...parameterOf(f),
  }))
  const range = {
    in: 'header',
    name: 'range',
    description: 'A part, such as `bytes=0-1023`.',
    schema: { type: 'string' },
  }
  return [...(op.hasRanges ? [range] : []), ...path, ...query]
}

const errors = {
  '4XX': { $ref: '#/components/responses/Error' },
  '5XX': { $ref: '#/components/responses/Error' },
}

function responsesOf(op: OpShape, place: Place): Json {
  if (op.ok === 'upgrade')
    return { default: { description: 'WebSocket', content: { '*/*': { schema: {} } } } }
  if (op.streams) {
    const content = Object.fromEntries(op.streams.map((type) => [type, { schema: { type: 'string' } }]))
    return { [op.ok]: { description: 'success', content }, ...errors }
  }
  const content = op.response
    ? { content: { [op.responseType ?? mediaTypes.json]: { schema: schemaOf(op.response.node, place) } } }
    : {}
  return { [op.ok]: { description: op.response ? 'success' : 'success, no content', ...content }, ...errors }
}

const ofBytes = { type: 'string', format: 'binary' }

function bodyOf({ body, bodyType = mediaTypes.json }: OpShape, place: Place): Json {
  if (!body) return {}
  const schema = bodyType === mediaTypes.bytes ? ofBytes : schemaOf(body.node, place)
  return { requestBody: { required: true, content: { [bodyType]: { schema } } } }
}

/** The document as a JSON value. */
export function openApiDocument(): Json {
  const components: Components = new Map()
  const paths: Record<string, Json> = {}
  for (const [name, op] of Object.entries(operations) as [OperationName, OpShape][]) {
    const place = { owner: name, components }
    const parameters = parametersOf(op, place)
    const body = bodyOf(op, place)
    paths[op.path] = {
      ...paths[op.path],
      [op.method.toLowerCase()]: {
        tags: [op.tag],
        summary: titleOf(name),
        description: [aboutOperation(name), limitsOfCreate(name)].filter(Boolean).join(' '),
        operationId: snake(name),
        'x-allow': op.allow,
        ...(op.alsoNeeds === undefined ? {} : { 'x-also-needs': op.alsoNeeds }),
        ...(parameters.length ? { parameters } : {}),
        ...body,
        responses: responsesOf(op, place),
      },
    }
  }
  components.set('Error', {
    type: 'object',
    properties: {
      request_id: { type: 'string' },
      error_code: { type: 'string' },
      message: { type: 'string' },
      // Not part of the original API: of a quota that is too small, in vCPUs or bytes.
      quota: {
        type: 'object',
        properties: {
          resource: { type: 'string', enum: ['cpus', 'memory', 'storage'] },
          limit: { type: 'integer', format: 'int64' },
          used: { type: 'integer', format: 'int64' },
          asked: { type: 'integer', format: 'int64' },
        },
      },
    },
    required: ['message', 'request_id'],
  })
  const error = {
    description: 'Error',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Purlin API',
      description: 'The API of a private cloud that runs on your own machines.',
      version: '20251008',
    },
    'x-limits': allLimits,
    paths,
    components: {
      schemas: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      responses: { Error: error },
    },
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(JSON.stringify(openApiDocument(), null, 2))
