import {
  localIdpGroupCreate,
  localIdpGroupDelete,
  localIdpGroupMemberRemove,
  localIdpGroupMembersAdd,
  localIdpGroupUpdate,
  siloGroupList,
  siloGroupView,
} from '@purlin/contract/operations/access/local-groups'
import { siloUserList } from '@purlin/contract/operations/access/users'
import { groupList, groupView, userList } from '@purlin/contract/operations/silos/silos'
import { useForm } from 'react-hook-form'
import { holdingReads } from '#/live/heldReads.ts'
import { invalidate, query } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { PickerHint } from '../PickerHint.tsx'
import { noPeople } from '../useAccess.ts'
import { usePicker } from '../usePicker.ts'

/** A local group, and the silo that it is of. */
export interface LocalGroup {
  id: string
  name: string
  silo: string
}
interface Member {
  id: string
  name: string
}

interface Named {
  name: string
}

const refreshGroups = () => invalidate(groupList, groupView, siloGroupList, siloGroupView)
const refreshMembers = () => invalidate(userList, siloUserList, groupList, siloGroupList)
const targetOf = ({ id: groupId, silo }: LocalGroup) => ({ params: { groupId }, query: { silo } })

/** Makes a group in a silo with local users. */
export function NewGroupDialog({ silo, onDismiss }: { silo: string; onDismiss: () => void }) {
  const form = useForm({ defaultValues: { name: '' } })
  const request = ({ name }: Named) =>
    requestTo(localIdpGroupCreate, { query: { silo }, body: { displayName: name } })
  const create = async (values: Named) => {
    await sendRequest(request(values))
    await refreshGroups()
    addToast({ title: 'Group created', content: <Highlight>{values.name}</Highlight> })
    onDismiss()
  }
  return (
    <ModalForm
      title="New group"
      submitLabel="Create group"
      form={form}
      onSubmit={create}
      request={request}
      onDismiss={onDismiss}
    >
      <NameControl name="name" control={form.control} />
    </ModalForm>
  )
}

interface OfGroup {
  group: LocalGroup
  onDismiss: () => void
}

/** Renames a local group. */
export const RenameGroupDialog = ({ group, onDismiss }: OfGroup) => (
  <LoadToEdit title="Rename group" read={query(siloGroupView, targetOf(group))} onDismiss={onDismiss}>
    {(now) => <RenameForm group={group} now={now} onDismiss={onDismiss} />}
  </LoadToEdit>
)

function RenameForm({ group, now, onDismiss }: OfGroup & { now: Fresh<{ displayName: string }> }) {
  const form = useForm({ defaultValues: { name: now.displayName } })
  const request = ({ name }: Named) =>
    requestTo(localIdpGroupUpdate, { ...targetOf(group), body: { displayName: name } })
  const rename = async (values: Named) => {
    await sendRequest(request(values))
    await refreshGroups()
    addToast({ title: 'Group renamed', content: <Highlight>{values.name}</Highlight> })
    onDismiss()
  }
  return (
    <ModalForm
      title="Rename group"
      submitLabel="Rename"
      form={form}
      onSubmit={rename}
      request={request}
      onDismiss={onDismiss}
    >
      <p className="text-secondary">Members and roles of the group stay.</p>
      <NameControl name="name" control={form.control} />
    </ModalForm>
  )
}

/** Asks, and deletes a local group with its roles. */
export function askToDeleteGroup(group: LocalGroup, leave: () => unknown): void {
  const request = requestTo(localIdpGroupDelete, targetOf(group))
  confirmAction({
    modalTitle: 'Delete group',
    modalContent: (
      <p>
        The members of <Highlight>{group.name}</Highlight> lose the roles of the group. They stay users of the
        silo.
      </p>
    ),
    errorTitle: 'Could not delete the group',
    actionType: 'danger',
    command: request,
    doAction: async () => {
      await holdingReads(async () => {
        await sendRequest(request)
        await leave()
      })
      await refreshGroups()
      addToast({ title: 'Group deleted', content: <Highlight>{group.name}</Highlight> })
    },
  })
}

/** Adds a user of the silo to a local group. */
export function AddMemberDialog({ group, onDismiss }: OfGroup) {
  const form = useForm({ defaultValues: { user: '' } })
  const picker = usePicker(noPeople, undefined, group.silo)
  const request = ({ user }: { user: string }) =>
    requestTo(localIdpGroupMembersAdd, { ...targetOf(group), body: { userIds: [user] } })
  const add = async ({ user }: { user: string }) => {
    await sendRequest(request({ user }))
    await refreshMembers()
    const name = picker.offered.find(({ id }) => id === user)?.displayName
    addToast({ title: 'Member added', content: <Highlight>{name}</Highlight> })
    onDismiss()
  }
  return (
    <ModalForm
      title="Add member"
      submitLabel="Add member"
      form={form}
      onSubmit={add}
      request={request}
      onDismiss={onDismiss}
    >
      <p className="text-secondary">
        The user gets the roles of <Highlight>{group.name}</Highlight>.
      </p>
      <ComboboxControl
        name="user"
        control={form.control}
        required
        placeholder="Type a part of the name"
        loading={picker.isSearching}
        onValue={picker.choose}
        onSearch={picker.onSearch}
        hint={
          picker.error || picker.cutAt ? (
            <PickerHint picker={picker} error={picker.error} focus={() => form.setFocus('user')} />
          ) : undefined
        }
        items={picker.offered.map(({ id, displayName }) => ({ value: id, label: displayName }))}
      />
    </ModalForm>
  )
}

/** Asks, and removes a user from a local group. */
export function askToRemoveMember(group: LocalGroup, { id: userId, name }: Member): void {
  const { params, query } = targetOf(group)
  confirmAction({
    modalTitle: 'Remove member',
    modalContent: (
      <p>
        <Highlight>{name}</Highlight> loses the roles of <Highlight>{group.name}</Highlight>.
      </p>
    ),
    errorTitle: 'Could not remove the member',
    actionType: 'danger',
    request: requestTo(localIdpGroupMemberRemove, { params: { ...params, userId }, query }),
    doAction: async () => {
      await refreshMembers()
      addToast({ title: 'Member removed', content: <Highlight>{name}</Highlight> })
    },
  })
}
