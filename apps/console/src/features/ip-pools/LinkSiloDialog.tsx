import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { ModalForm } from '#/resource/ModalForm.tsx'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { Highlight } from '#/ui/Highlight.tsx'
import { linkSilo } from './linkActions.tsx'
import { poolsOfSiloQuery, type Silo } from './operatorQueries.ts'

/** Chooses a silo to link a pool to. */
export function LinkSiloDialog({
  pool,
  silos,
  onDismiss,
}: {
  pool: string
  /** Those that it is not linked to; undefined while they are not known. */
  silos: readonly Silo[] | undefined
  onDismiss: () => void
}) {
  const form = useForm({ defaultValues: { silo: '', isDefault: false } })
  const silo = useWatch({ control: form.control, name: 'silo' })
  const pools = useQuery({ ...poolsOfSiloQuery(silo), enabled: silo !== '', throwOnError: false }).data
  const former = pools?.find(({ isDefault }) => isDefault)?.name
  const link = async (values: { silo: string; isDefault: boolean }) => {
    await linkSilo(pool, values)
    onDismiss()
  }
  return (
    <ModalForm title="Link silo" submitLabel="Link" form={form} onSubmit={link} onDismiss={onDismiss}>
      <p className="text-secondary">
        Users of the silo will be able to allocate addresses from <Highlight>{pool}</Highlight>.
      </p>
      <ComboboxControl
        name="silo"
        control={form.control}
        required
        placeholder="Select a silo"
        loading={!silos}
        items={(silos ?? []).map(({ name, description }) => ({ value: name, label: name, description }))}
      />
      <CheckboxControl
        name="isDefault"
        control={form.control}
        label="Make default"
        hint={
          former === undefined
            ? 'The pool is used where the users of the silo name none.'
            : `The pool replaces ${former} as the default pool of the silo.`
        }
      />
    </ModalForm>
  )
}
