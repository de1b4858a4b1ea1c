import { limits } from '@purlin/contract/rules/limits'
import { templateProblem } from '@purlin/contract/rules/user-data/template'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { disorder, rejectsIn } from '#/testing/state.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const query = { project: 'demo' }
const at = { params: { template: 'web' }, query }
const host = {
  name: 'host',
  type: 'text',
  label: 'Host name',
  help: 'Without the domain',
  required: true,
} as const
const text = '#cloud-config\nhostname: <<<host>>>\n'

let w: TestWorld
const rejects = rejectsIn(() => w)
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const invalid = (message: RegExp) => ({ status: 400, message: expect.stringMatching(message) as string })

type Body = Parameters<ReturnType<TestWorld['as']>['userDataTemplateCreate']>[0]['body']
const create = (body: Partial<Body> = {}, who: Who = 'projectCollaborator') =>
  w.as(who).userDataTemplateCreate({
    query,
    body: { name: 'web', description: '', text, fields: [host], ...body },
  })
const update = (
  body: Parameters<ReturnType<TestWorld['as']>['userDataTemplateUpdate']>[0]['body'],
  who: Who = 'projectCollaborator',
) => w.as(who).userDataTemplateUpdate({ ...at, body })
const view = (who: Who = 'projectViewer') => w.as(who).userDataTemplateView(at)

it('has its text and fields as they were written, which lists leave out', async () => {
  const made = await create()
  expect(made).toMatchObject({ name: 'web', text, fields: [host] })
  expect(await view()).toEqual(made)
  const { items } = await w.as('projectViewer').userDataTemplateList({ query })
  const { text: _, fields: __, ...row } = made
  expect(row.fieldCount).toBe(1)
  expect(items).toEqual([row])
  const { items: found } = await w
    .as('projectViewer')
    .search({ query: { q: 'web', kind: ['user-data-template'] } })
  expect(found.map(({ name }) => name)).toEqual(['web'])
})

it('is found, changed and deleted by those with a role on its project only', async () => {
  await rejects(() => create({}, 'projectViewer'), { status: 403 })
  await create()
  await rejects(() => update({ description: 'x' }, 'projectViewer'), { status: 403 })
  await rejects(() => view('noRole'), { status: 404 })
  await rejects(() => w.as('projectViewer').userDataTemplateDelete(at), { status: 403 })
  await w.as('projectCollaborator').userDataTemplateDelete(at)
  await rejects(() => view(), { status: 404 })
})

it('is refused if its fields are not those of the text, with the line', async () => {
  await rejects(() => create({ fields: [] }), invalid(/text.*line 2: there is no field host/))
  await rejects(() => create({ fields: null }), invalid(/line 2: there is no field host/))
  await rejects(() => create({ text: '#cloud-config\na: [b' }), invalid(/text.*line 2: /))
  await rejects(() => create({ text: '#cloud-config' }), invalid(/fields.*the text does not have <<<host>>>/))
  await rejects(
    () => create({ fields: [{ ...host, type: 'secret', default: 'x' }] }),
    invalid(/host is a secret/),
  )
  await rejects(() => create({ fields: [{ ...host, name: 'Host' }] }), invalid(/name/))
  const many = Array.from({ length: limits.userDataTemplate.fields + 1 }, () => host)
  await rejects(() => create({ fields: many }), invalid(/fields/))
  await rejects(() => create({ text: 'a'.repeat(limits.instance.userData + 1) }), invalid(/text/))
  await rejects(
    () => create({ text: 'é'.repeat(limits.instance.userData / 2 + 1), fields: [] }),
    invalid(/32 KiB/),
  )
})

it('is refused if a change of one part does not fit the other', async () => {
  await create()
  await rejects(() => update({ fields: [] }), invalid(/line 2: there is no field host/))
  await rejects(() => update({ text: '#!/bin/sh' }), invalid(/the text does not have <<<host>>>/))
  const renamed = await update({ description: 'of the shop' })
  expect(renamed).toMatchObject({ description: 'of the shop', text, fields: [host] })
  const changed = await update({ text: '#!/bin/sh\necho <<<a>>>', fields: [{ name: 'a', type: 'lines' }] })
  expect(changed).toMatchObject({ text: '#!/bin/sh\necho <<<a>>>', fields: [{ name: 'a', type: 'lines' }] })
})

it('has fields that fit its text after any changes at once', async () => {
  await create()
  const changes: Parameters<typeof update>[0][] = [
    { text: `${text}fqdn: <<<host>>>.example\n` },
    { text: '#!/bin/sh', fields: [] },
    { fields: [{ name: 'host', type: 'secret' }] },
  ]
  for (let round = 0; round < 5; round++) {
    await Promise.allSettled(changes.map((change) => update(change)))
    const { text: now = '', fields = [] } = await view()
    expect(templateProblem({ text: now, fields })).toBeUndefined()
    await update({ text, fields: [host] })
  }
})

it('is deleted together with others as a task', async () => {
  const ids = [(await create()).id, (await create({ name: 'db' })).id]
  await w
    .as('projectCollaborator')
    .taskCreate({ body: { kind: 'user-data-template', action: 'delete', ids } })
  await w.settle()
  expect((await w.as('projectViewer').userDataTemplateList({ query })).items).toEqual([])
})
