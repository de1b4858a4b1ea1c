import { describe, expect, it } from 'vitest'
import { apiPages, exampleOf, pageOfOperation } from './api.ts'
import { missingTargets, sectionsOf } from './build.ts'
import { addressOf, idOf } from './markdown.ts'

const pageOf = (operation: string) => (operation === 'disk_list' ? '/docs/api/disks' : undefined)

describe('links', () => {
  it.each([
    ['index.md', '/docs'],
    ['disks.md#attach-a-disk', '/docs/disks#attach-a-disk'],
    ['#below', '#below'],
    ['/docs/api', '/docs/api'],
    ['api:disk_list', '/docs/api/disks#disk_list'],
  ])('of %s lead to %s', (target, address) => {
    expect(addressOf(target, pageOf)).toBe(address)
  })

  it.each(['api:none', 'https://purlin.example', '../README.md'])('to %s are refused', (target) => {
    expect(() => addressOf(target, pageOf)).toThrow('the guide links')
  })

  it('without a page or a heading are found', () => {
    const content =
      '<a href="#b">x</a><a href="/docs/c">x</a><a href="/docs/d#e">x</a><a href="/">x</a><h2 id="b"></h2>'
    const pages = [
      { url: '/docs/a', content },
      { url: '/docs/d', content: '' },
    ]
    expect(missingTargets(pages)).toEqual(['/docs/a links /docs/c', '/docs/a links /docs/d#e'])
  })
})

it('ids of headings are their words', () => {
  expect(idOf('Attach a disk, or `detach` it')).toBe('attach-a-disk-or-detach-it')
})

it('the search has an entry for each heading, without marks', () => {
  const content =
    '<nav>menu</nav><h1>Disks</h1><p>About &amp; more</p><h2 id="new">New <code>disk</code></h2><p>Text</p></main>'
  expect(sectionsOf({ url: '/docs/disks', content })).toEqual([
    { id: '/docs/disks', title: 'Disks', heading: 'Disks', text: 'About & more' },
    { id: '/docs/disks#new', title: 'Disks', heading: 'New disk', text: 'New disk Text' },
  ])
})

describe('the pages of the API', () => {
  const name = { $ref: '#/components/schemas/Name' }
  const pages = apiPages(
    {
      paths: {
        '/v1/disks': {
          post: {
            tags: ['disks'],
            summary: 'Create a disk',
            description: 'Creates one.',
            operationId: 'disk_create',
            'x-allow': 'project.collaborator',
            parameters: [
              { in: 'query', name: 'project', required: true, description: 'Its project.', schema: name },
            ],
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/DiskCreate' } } },
            },
            responses: { 201: { content: { 'application/json': { schema: name } } } },
          },
        },
      },
      components: {
        schemas: {
          Name: { type: 'string', maxLength: 63 },
          DiskCreate: {
            type: 'object',
            properties: { size: { type: 'integer', description: 'In bytes.' } },
            required: ['size'],
          },
        },
      },
    },
    {
      disk_create: { method: 'POST', url: '/v1/disks?project=demo', body: { name: "o'clock" }, status: 201 },
    },
  )

  it('have the role, the parameters, the body and an example of an operation', () => {
    expect(pages[0]?.ops[0]).toMatchObject({
      id: 'disk_create',
      needs: 'the role collaborator on the project',
      tables: [
        {
          name: 'Parameters',
          rows: [{ name: 'project', type: '<a href="/docs/api/schemas#Name">Name</a> in the query' }],
        },
        { name: 'Body', rows: [{ name: 'size', type: 'integer', about: 'In bytes.', isRequired: true }] },
      ],
      answer: '201 with <a href="/docs/api/schemas#Name">Name</a>.',
    })
    expect(pageOfOperation(pages, 'disk_create')).toBe('/docs/api/disks')
    expect(pages[1]?.schemas[0]).toMatchObject({ name: 'Name', note: 'string, at most 63 characters' })
  })

  it('quote the body of an example for a shell', () => {
    expect(exampleOf({ method: 'POST', url: '/v1/x', body: "it's", status: 204 })).toContain(
      String.raw`-d 'it'\''s'`,
    )
  })

  it('show a refusal in an example', () => {
    const refusal = 'no role: 403 {"error_code":"Forbidden"}'
    expect(exampleOf({ method: 'GET', url: '/v1/x', status: 200, refusal })).toMatch(
      /\n# 200\n# no role: 403 \{"error_code":"Forbidden"\}$/,
    )
  })
})
