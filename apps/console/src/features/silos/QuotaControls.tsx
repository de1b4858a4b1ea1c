import { GiB } from '@purlin/contract/rules/limits'
import { useWatch, type Control } from 'react-hook-form'
import { formatSize } from '#/lib/format.ts'
import { NumberControl } from '#/ui/form/NumberControl.tsx'

/** The quotas of a form: memory and storage in GiB. */
export interface Quotas {
  cpuQuota: number
  memoryQuota: number
  storageQuota: number
}

/** The quotas of a form as the API has them. */
export const quotasToBody = ({ cpuQuota, memoryQuota, storageQuota }: Quotas) => ({
  cpus: cpuQuota,
  memory: Math.round(memoryQuota * GiB),
  storage: Math.round(storageQuota * GiB),
})

/** The quotas of a silo as its form has them. */
export const quotasOf = (silo: { cpus: number; memory: number; storage: number }): Quotas => ({
  cpuQuota: silo.cpus,
  memoryQuota: silo.memory / GiB,
  storageQuota: silo.storage / GiB,
})

const most = Math.floor(Number.MAX_SAFE_INTEGER / GiB)

/** The fields of the quotas of a silo. */
export function QuotaControls<F extends Quotas>({ control: given }: { control: Control<F> }) {
  // The fields of a form that has more.
  const control = given as unknown as Control<Quotas>
  return (
    <>
      <NumberControl
        name="cpuQuota"
        label="CPU quota"
        control={control}
        required
        integer
        units="vCPUs"
        min={0}
        max={1_000_000_000}
      />
      {(['memoryQuota', 'storageQuota'] as const).map((name) => (
        <SizeQuota key={name} name={name} control={control} />
      ))}
    </>
  )
}

/** A quota in GiB, with the size as other screens write it. */
function SizeQuota({ name, control }: { name: 'memoryQuota' | 'storageQuota'; control: Control<Quotas> }) {
  const size = useWatch({ control, name })
  return (
    <NumberControl
      name={name}
      control={control}
      required
      units="GiB"
      min={0}
      max={most}
      hint={size >= 1024 ? formatSize(size * GiB) : undefined}
    />
  )
}
