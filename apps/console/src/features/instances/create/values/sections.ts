import type { UseFormReturn } from 'react-hook-form'
import { useField, type FieldRule } from '#/ui/form/useField.ts'
import type { AllOffers } from './data.ts'
import type { InstanceForm } from './form.ts'

/** The props of every section. */
export interface SectionProps {
  form: UseFormReturn<InstanceForm>
  offers: AllOffers
  project: string
}

/** Labels of the fields in the list of errors, in page order. */
export const fieldLabels: Partial<Record<keyof InstanceForm, string>> = {
  name: 'Name',
  description: 'Description',
  tags: 'Tags',
  cpus: 'CPUs',
  memoryGiB: 'Memory',
  siloImage: 'Image',
  projectImage: 'Image',
  bootSnapshot: 'Snapshot',
  bootDisk: 'Disk',
  bootSizeGiB: 'Disk size',
  bootName: 'Disk name',
  disks: 'Additional disks',
  sshKeys: 'SSH keys',
  network: 'Network interface',
  nics: 'Network interfaces',
  pool: 'IP pool for ephemeral IP',
  floatingIps: 'Floating IPs',
  hostname: 'Hostname',
  userDataText: 'User data',
  userData: 'User data file',
}

type ListName = 'disks' | 'sshKeys' | 'nics' | 'floatingIps'

/** A form field that is a list of rows. `ref` is for the control that gets the focus on an error. */
export function useListField<N extends ListName>({
  form,
  name,
  validate,
}: {
  form: SectionProps['form']
  name: N
  validate: FieldRule<InstanceForm[N], InstanceForm>
}) {
  const { value, onChange, error, ref } = useField(
    { control: form.control, name, validate },
    (list) => list as InstanceForm[N],
  )
  return { value, onChange, error, ref }
}
