/** A kind without names, made up with a form: that of access tokens has none. */
import { plainOps } from '@purlin/contract/operations/plain'
import { integer, object, ref } from '@purlin/contract/schema'
import { Uuid } from '@purlin/contract/schemas/scalar'
import Thermometer from 'lucide-react/icons/thermometer'
import { renderToStaticMarkup } from 'react-dom/server'
import { createFormControl } from 'react-hook-form'
import { expect, it } from 'vitest'
import { queryClient } from '#/api/query.ts'
import { deleteAction, plainActions, type UsableActions } from './actions/actions.tsx'
import { askMany } from './actions/askMany.tsx'
import { askOne } from './actions/askOne.tsx'
import { useBulkActions } from './actions/bulkActions.tsx'
import { closeConfirm, confirmStore } from './actions/confirm.ts'
import { deletion } from './actions/confirmation.tsx'
import { pageOf } from './address/pageOf.ts'
import { CreateForm } from './form/CreateForm.tsx'
import { EditForm } from './form/EditForm.tsx'
import { IdentityControls } from './form/IdentityControls.tsx'
import { kind, referenceOf, rememberRow, viewQuery } from './kind.ts'
import { kinds } from './kinds.ts'

const celsius = integer({ min: -50, max: 150 })
const ops = plainOps('accessToken', {
  response: ref('Reading', object({ id: Uuid, celsius })),
  create: { celsius },
  update: { celsius },
})
const definition = {
  name: 'accessToken',
  title: 'Readings',
  icon: Thermometer,
  list: ops.currentUserAccessTokenList,
  view: ops.currentUserAccessTokenView,
  create: ops.currentUserAccessTokenCreate,
  update: ops.currentUserAccessTokenUpdate,
  remove: ops.currentUserAccessTokenDelete,
} as const
const reading = kind({ ...definition, labelOf: (row) => `${row.celsius} °C` })
const rows = [
  { id: '6f0e8f4e-0000-4000-8000-000000000001', celsius: 21 },
  { id: '6f0e8f4e-0000-4000-8000-000000000002', celsius: 34 },
] as const

const asked = () => {
  const shown = renderToStaticMarkup(confirmStore.get()?.modalContent)
  closeConfirm()
  return shown
}

it('a kind whose rows have no names does not compile without a label for them', () => {
  // @ts-expect-error -- the rows have no name
  expect(kind(definition).labelOf(rows[0])).toBe(rows[0].id)
  expect(reading.labelOf(rows[0])).toBe('21 °C')
})

it('questions call a row by its label', async () => {
  const deleting = deletion(reading, {})
  await askOne(deleting, rows[0])
  expect(asked()).toContain('21 °C')
  await askMany(deleting, { rows, left: [], onDone: () => undefined })
  expect(asked()).toMatch(/21 °C.*34 °C/)
})

it('addresses and requests name a row by its id', () => {
  const edit = plainActions(reading).find(({ id }) => id === 'edit')
  expect(edit?.href?.(rows[0])).toBe(`/settings/access-tokens/${rows[0].id}/edit`)
  expect(referenceOf(kinds.disk, { ...rows[0], name: 'web' })).toBe('web')
  rememberRow(reading, rows[0], {})
  expect(queryClient.getQueryData(viewQuery(reading, rows[0].id).queryKey)).toEqual(rows[0])
  expect(pageOf('accessToken', { name: '', id: rows[0].id })).toBe(
    `/settings/access-tokens?marked=${rows[0].id}`,
  )
})

it('a selection calls a row by its label', () => {
  const usable: UsableActions<(typeof rows)[number]> = {
    menu: () => [],
    dialog: null,
    reason: () => undefined,
    roleReason: () => undefined,
  }
  const Labels = () => {
    const shown = { rows, matching: '', total: rows.length, page: '', labelOf: reading.labelOf }
    const { selection } = useBulkActions([deleteAction(reading, { isForMany: true })], usable, shown)
    return rows.map((row) => selection?.labelOf(row)).join(', ')
  }
  expect(renderToStaticMarkup(<Labels />)).toBe('Select 21 °C, Select 34 °C')
})

it('forms have a name and a description only for a kind with names', () => {
  const { control } = createFormControl({ defaultValues: { name: '', description: '' } })
  expect(renderToStaticMarkup(<IdentityControls kind={reading} control={control} />)).toBe('')
  expect(renderToStaticMarkup(<IdentityControls kind={kinds.vpc} control={control} />)).toContain(
    'Description',
  )
})

it('forms of a kind with names do not compile without them, those of others do', () => {
  const forms = [
    <CreateForm key="new" kind={reading} values={{ celsius: 20 }} />,
    <EditForm key="edit" kind={reading} values={({ celsius }) => ({ celsius })} />,
    // @ts-expect-error -- a name and a description are missing
    <CreateForm key="named" kind={kinds.vpc} values={{ dnsName: '' }} />,
  ]
  expect(forms).toHaveLength(3)
})

it('a deletion is offered for selections if the kind has a task for it', () => {
  expect(deleteAction(kinds.floatingIp).isForMany).toBe(true)
  expect(deleteAction(kinds.vpcSubnet).isForMany).toBe(false)
  expect(deleteAction(reading).isForMany).toBe(false)
})
