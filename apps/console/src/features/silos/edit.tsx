import { siloUpdate, siloView } from '@purlin/contract/operations/silos/system-silos'
import type { Result } from '@purlin/contract/op'
import { roles, strongest, type Role } from '@purlin/contract/rules/roles'
import { createFileRoute } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { capitalize } from '#/lib/text.ts'
import { useGuardedUpdate } from '#/resource/form/guardedUpdate.tsx'
import { roleScope, viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { invalidate } from '#/api/query.ts'
import { fresh, formRoute, loadRowToEdit } from '#/resource/address/routeOptions.tsx'
import { textRules } from '#/resource/form/textRules.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { SiloForm } from './SiloForm.tsx'

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/edit')({
  ...formRoute('Edit silo'),
  ...fresh,
  loader: (match) => loadRowToEdit(kinds.silo, match),
  component: EditSilo,
})

const none = 'none'
type Mapped = Role | typeof none
interface Values {
  description: string
  discoverable: boolean
  adminGroupName: string
  admin: Mapped
  collaborator: Mapped
  viewer: Mapped
}

const valuesOf = ({
  description,
  discoverable,
  adminGroupName,
  mappedFleetRoles,
}: Result<typeof siloView>): Values => {
  const given = (role: Role): Mapped => strongest(mappedFleetRoles[role] ?? []) ?? none
  return {
    description,
    discoverable,
    adminGroupName: adminGroupName ?? '',
    admin: given('admin'),
    collaborator: given('collaborator'),
    viewer: given('viewer'),
  }
}

const toBody = ({ description, discoverable, adminGroupName, ...mapping }: Values, before: Values) => {
  const isMapped = roles.some((role) => mapping[role] !== before[role])
  const group = adminGroupName.trim()
  return {
    description,
    discoverable,
    ...(group === before.adminGroupName || group === '' ? {} : { adminGroupName: group }),
    // Only a change needs the role for it.
    ...(isMapped
      ? {
          mappedFleetRoles: Object.fromEntries(
            roles.flatMap((role) => (mapping[role] === none ? [] : [[role, [mapping[role]]]])),
          ),
        }
      : {}),
  }
}

const choices = [
  { value: none, label: 'No role on the fleet' },
  ...roles.map((role) => ({ value: role, label: `Fleet ${role}` })),
]

/** The form that changes a silo. Its name stays: it is part of the addresses of the silo. */
function EditSilo() {
  const params = Route.useParams()
  const { lacks } = useRole(...roleScope(kinds.silo, {}))
  const row = useLoaded(viewQuery(kinds.silo, params.silo))
  const before = valuesOf(row)
  const form = useForm<Values>({ defaultValues: before })
  const target = { view: siloView, update: siloUpdate, args: { params } }
  const { save, request, notice } = useGuardedUpdate(target, { form, row, valuesOf })
  const saveAll = async (filled: Values) => {
    await save(toBody(filled, before))
    void invalidate(siloView)
  }
  const mappingReason = lacks('admin')
  return (
    <SiloForm
      title="Edit silo"
      submitLabel="Update silo"
      silo={params.silo}
      what="Silo"
      form={form}
      draft={{ form: 'silo', isChange: true }}
      save={saveAll}
      request={(filled) => request(toBody(filled, before))}
    >
      {notice}
      <DescriptionControl name="description" control={form.control} />
      <CheckboxControl name="discoverable" control={form.control} label="Discoverable" />
      {row.identityMode !== 'local_only' && (
        <TextControl
          name="adminGroupName"
          control={form.control}
          {...textRules(siloUpdate, 'adminGroupName')}
          hint="Members of this group are admins of the silo. Members of a former one stay admins until their role is removed."
        />
      )}
      <fieldset className="flex flex-col gap-[18px] border-t border-line-faint pt-4">
        <legend className="sr-only">Fleet roles</legend>
        {roles.map((role) => (
          <ListboxControl
            key={role}
            name={role}
            control={form.control}
            label={`${capitalize(role)}s of the silo are`}
            required
            items={choices}
            disabledReason={mappingReason}
          />
        ))}
      </fieldset>
    </SiloForm>
  )
}
