import type { Role } from '@purlin/contract/rules/roles'
import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { withArticle } from '#/lib/text.ts'
import { ownPolicy } from '../effectiveRole.ts'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { RadioGroupControl } from '#/ui/form/RadioGroupControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { undoable } from '#/resource/actions/undo.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { changeRequest, changeRole } from './changeRole.ts'
import { ExpiryControl } from './ExpiryControl.tsx'
import { addressesOf, hereOf, siloOf, type Place } from '../place.ts'
import { fullReason, type RoleChange } from '../policy.ts'
import { useAccess } from '../useAccess.ts'
import { SiloControl } from '../SiloControl.tsx'
import { PickerHint } from '../PickerHint.tsx'
import { usePicker } from '../usePicker.ts'
import { identityWord, inheritedWords, roleOptions } from '../words.ts'

interface Values {
  /** of the user, if it is another one */
  silo: string
  identity: string
  role: Role
  expires: string
}

/** The form that gives a role to a user or group that has none here. */
export function AddRole({ place }: { place: Place }) {
  const navigate = useNavigate()
  const { policies, people, rows, nameOf, lacks } = useAccess(place)
  const own = ownPolicy(policies)
  const form = useForm<Values>({ defaultValues: { silo: '', identity: '', role: 'viewer', expires: '' } })
  const chosenSilo = useWatch({ control: form.control, name: 'silo' })
  const silo = siloOf(place) ?? chosenSilo
  const picker = usePicker(people, own, silo)
  const chosen = useWatch({ control: form.control, name: 'identity' })
  const inherited = rows.find(({ id }) => id === chosen)
  const close = () => navigate({ href: addressesOf(place).list, ignoreBlocker: true })
  const candidateOf = (identity: string) => picker.offered.find(({ id }) => id === identity)
  const changeOf = ({ identity, role, expires }: Values): RoleChange => ({
    identityId: identity,
    identityType: candidateOf(identity)?.identityType ?? 'silo_user',
    seen: null,
    roleName: role,
    timeExpires: expires === '' ? null : new Date(expires),
  })
  const assign = async (values: Values) => {
    const { identity, role } = values
    const undo = await changeRole(place, changeOf(values))
    const name = <Highlight>{candidateOf(identity)?.displayName ?? nameOf(identity)}</Highlight>
    const here = hereOf(place)
    const content = (
      <>
        {name} is now {withArticle(role)} of {here}
      </>
    )
    const undone = (
      <>
        {name} no longer has the {role} role on {here}
      </>
    )
    addToast(undoable({ title: 'Role assigned', content }, { run: undo, undone }))
    await close()
  }
  const problem = people.error ?? picker.error
  return (
    <ResourceForm
      title="Add user or group"
      submitLabel="Assign role"
      form={form}
      onSubmit={assign}
      request={(values) => changeRequest(place, changeOf(values))}
      onDismiss={() => void close()}
      submitDisabledReason={lacks ?? fullReason(own)}
    >
      {place.level === 'fleet' && (
        <SiloControl name="silo" control={form.control} onValue={() => form.setValue('identity', '')} />
      )}
      <ComboboxControl
        name="identity"
        control={form.control}
        label={siloOf(place) === undefined ? 'User or group' : 'User'}
        required
        placeholder={people.hasMore || silo ? 'Type a part of the name' : 'Select a user or group'}
        loading={!people.isSettled || picker.isSearching}
        onValue={picker.choose}
        onSearch={picker.onSearch}
        hint={
          problem || picker.cutAt ? (
            <PickerHint picker={picker} error={problem} focus={() => form.setFocus('identity')} />
          ) : undefined
        }
        items={picker.offered.map(({ id, displayName, identityType }) => ({
          value: id,
          label: displayName,
          aside: identityType === 'silo_group' ? <Badge>{identityWord[identityType]}</Badge> : undefined,
        }))}
      />
      <RadioGroupControl name="role" control={form.control} required options={roleOptions(place.level)} />
      <ExpiryControl name="expires" of="role" control={form.control} />
      <Notice>{inheritedWords(inherited, nameOf, place.level)}</Notice>
    </ResourceForm>
  )
}
