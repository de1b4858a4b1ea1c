/** A dialog that changes name, description, tags and protection of a resource whose kind has no form for that. */
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import type { Tags } from '@purlin/contract/rules/tags'
import { useForm } from 'react-hook-form'
import type { ApiRequest } from '#/api/request.ts'
import { holdingReads } from '#/live/heldReads.ts'
import { capitalize } from '#/lib/text.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { doneToast } from '../actions/toasts.tsx'
import {
  reload,
  rememberRow,
  viewQuery,
  type Identified,
  type Kind,
  type RowOp,
  type Scope,
} from '../kind.ts'
import { IdentityControls } from './IdentityControls.tsx'
import { LoadToEdit, type Fresh } from './fresh/LoadToEdit.tsx'
import { ModalForm } from './ModalForm.tsx'
import { ProtectionControl, protectableValues } from './ProtectionControl.tsx'
import { tagsIn } from './tags.ts'
import { useFollowName } from './useFollowName.ts'

type Values = ReturnType<typeof protectableValues>
/** The values that the form has changed; the others stay as they are on the server. */
export type EditedValues = Partial<Omit<Values, 'tags'>> & { tags?: Tags }
export type EditableRow = Identified & Parameters<typeof protectableValues>[0]

/** How the changes are sent, and which request that is. */
export interface Saving {
  save: (changes: EditedValues) => Promise<Identified>
  request: (changes: EditedValues) => ApiRequest | Promise<ApiRequest>
}

/** A kind that has such a dialog. */
export type EditableKind = Pick<Kind, 'name' | 'noun' | 'list' | 'related'> & {
  view: RowOp<EditableRow>
}

export interface EditDialogProps {
  kind: EditableKind
  id: string
  scope: Scope
  saving: (row: EditableRow) => Saving
  onDismiss: () => void
}

export const EditDialog = (props: EditDialogProps) => (
  <LoadToEdit
    title={`Edit ${props.kind.noun}`}
    read={viewQuery(props.kind, props.id)}
    onDismiss={props.onDismiss}
  >
    {(row) => <Form {...props} row={row} />}
  </LoadToEdit>
)

function Form({ kind, row, scope, saving, onDismiss }: EditDialogProps & { row: Fresh<EditableRow> }) {
  const { save, request } = saving(row)
  const opened = protectableValues(row)
  const form = useForm<Values>({ defaultValues: opened })
  const followName = useFollowName()
  const changesIn = ({ name, description, protected: isProtected, tags }: Values): EditedValues => ({
    ...(name === opened.name ? {} : { name }),
    ...(description === opened.description ? {} : { description }),
    ...(isProtected === opened.protected ? {} : { protected: isProtected }),
    ...(tags === opened.tags ? {} : { tags: tagsIn(tags) }),
  })
  const names = { ...scope, [contractKinds[kind.name].field]: row.name }
  const store = async (filled: Values) => {
    rememberRow(kind, await save(changesIn(filled)), scope)
    void reload(kind)
    addToast(doneToast(capitalize(kind.noun), filled.name, 'updated'))
    await followName(contractKinds[kind.name].field, { from: opened.name, to: filled.name })
    onDismiss()
  }
  return (
    <ModalForm
      title={`Edit ${kind.noun}`}
      submitLabel={`Update ${kind.noun}`}
      form={form}
      // Its name is a part of addresses.
      onSubmit={(filled) => holdingReads(() => store(filled))}
      request={async (filled) => ({ ...(await request(changesIn(filled))), names })}
      onDismiss={onDismiss}
      draft={{ form: kind.name, place: row.id, isChange: true }}
    >
      <IdentityControls kind={kind} control={form.control} />
      <ProtectionControl control={form.control} />
    </ModalForm>
  )
}
