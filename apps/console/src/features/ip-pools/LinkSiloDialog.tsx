import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { kinds } from '#/resource/kinds.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { usePicker } from '#/resource/form/usePicker.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { linkRequests, linkSilo } from './linkActions.tsx'
import { DefaultControl } from './LinkList.tsx'
import { poolsOfSiloQuery } from './operatorQueries.ts'

/** Chooses a silo to link a pool to. */
export function LinkSiloDialog({
  pool,
  linked,
  onDismiss,
}: {
  pool: string
  /** The ids of those that it is linked to. */
  linked: readonly string[]
  onDismiss: () => void
}) {
  const form = useForm({ defaultValues: { silo: '', isDefault: false } })
  const silo = useWatch({ control: form.control, name: 'silo' })
  const pools = useQuery({ ...poolsOfSiloQuery(silo), enabled: silo !== '', throwOnError: false }).data
  const silos = usePicker(kinds.silo, {
    scope: {},
    value: silo,
    by: 'name',
    except: linked,
    choice: ({ description }) => ({ description }),
  })
  const former = pools?.find(({ isDefault }) => isDefault)?.name
  const link = async (values: { silo: string; isDefault: boolean }) => {
    await linkSilo(pool, values)
    onDismiss()
  }
  return (
    <ModalForm
      title="Link silo"
      submitLabel="Link"
      form={form}
      onSubmit={link}
      request={(values) => linkRequests(pool, values)}
      draft="poolLink"
      onDismiss={onDismiss}
    >
      <p className="text-secondary">
        Users of the silo will be able to allocate addresses from <Highlight>{pool}</Highlight>.
      </p>
      <ComboboxControl
        name="silo"
        control={form.control}
        required
        placeholder="Select a silo"
        hint={silos.problem}
        {...silos.field}
      />
      <DefaultControl name="isDefault" form={form} former={former} />
    </ModalForm>
  )
}
