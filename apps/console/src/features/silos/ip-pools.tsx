import { createFileRoute } from '@tanstack/react-router'
import Waypoints from 'lucide-react/icons/waypoints'
import { useForm, useWatch } from 'react-hook-form'
import { prefetch } from '#/api/query.ts'
import { linkRequests, linkSilo, linksOfSilo } from '#/features/ip-pools/linkActions.tsx'
import { DefaultControl, defaultCell, LinkList, linkScope } from '#/features/ip-pools/LinkList.tsx'
import { poolsOfSiloQuery } from '#/features/ip-pools/operatorQueries.ts'
import { sections } from '#/lib/addresses.ts'
import { useActions } from '#/resource/actions/actions.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { usePicker } from '#/resource/form/usePicker.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/ip-pools')({
  loader: ({ params }) => prefetch(poolsOfSiloQuery(params.silo)),
  staticData: { crumb: { label: 'IP Pools' } },
  component: PoolsTab,
})

type Pool = Awaited<ReturnType<NonNullable<ReturnType<typeof poolsOfSiloQuery>['queryFn']>>>[number]

const columns: readonly Column<Pool>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ name }) => <CellLink href={sections.ipPool.view({ name })}>{name}</CellLink>,
  },
  { id: 'description', header: 'description', cell: ({ description }) => description },
  {
    id: 'default',
    header: 'Default',
    cell: defaultCell,
  },
]

/** The pools whose addresses the silo may use. */
function PoolsTab() {
  const { silo } = Route.useParams()
  const { id } = useLoaded(viewQuery(kinds.silo, silo))
  const pools = useLoaded(poolsOfSiloQuery(silo))
  const { menu } = useActions(linksOfSilo({ id, name: silo }), {}, linkScope)
  return (
    <LinkList
      label="IP pools"
      addLabel="Link pool"
      empty={{
        icon: <Waypoints />,
        title: 'No IP pools',
        body: 'Link a pool so that users of the silo can allocate addresses from it.',
      }}
      columns={columns}
      rows={pools}
      rowKey={(pool) => pool.id}
      actions={(pool) => <RowMenu items={menu(pool)} />}
      dialog={(onDismiss) => <LinkPoolDialog silo={silo} linked={pools} onDismiss={onDismiss} />}
    />
  )
}

function LinkPoolDialog({
  silo,
  linked,
  onDismiss,
}: {
  silo: string
  linked: readonly Pool[]
  onDismiss: () => void
}) {
  const form = useForm({ defaultValues: { pool: '', isDefault: false } })
  const pools = usePicker(kinds.ipPool, {
    scope: {},
    value: useWatch({ control: form.control, name: 'pool' }),
    by: 'name',
    except: linked.map(({ id }) => id),
    choice: ({ description }) => ({ description }),
  })
  const former = linked.find(({ isDefault }) => isDefault)?.name
  const link = async ({ pool, isDefault }: { pool: string; isDefault: boolean }) => {
    await linkSilo(pool, { silo, isDefault })
    onDismiss()
  }
  return (
    <ModalForm
      title="Link pool"
      submitLabel="Link"
      form={form}
      onSubmit={link}
      request={({ pool, isDefault }) => linkRequests(pool, { silo, isDefault })}
      draft="poolLink"
      onDismiss={onDismiss}
    >
      <p className="text-secondary">
        Users of <Highlight>{silo}</Highlight> will be able to allocate addresses from the pool.
      </p>
      <ComboboxControl
        name="pool"
        control={form.control}
        label="IP pool"
        required
        placeholder="Select a pool"
        hint={pools.problem}
        {...pools.field}
      />
      <DefaultControl name="isDefault" form={form} former={former} />
    </ModalForm>
  )
}
