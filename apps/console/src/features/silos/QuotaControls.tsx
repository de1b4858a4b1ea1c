import { GiB } from '@purlin/contract/rules/limits'
import { useWatch, type Control } from 'react-hook-form'
import { amountOf, leftText, type Resource, type Utilization } from '#/features/utilization/quota.ts'
import { formatSize } from '#/lib/format.ts'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { formPart } from '#/ui/form/formPart.ts'

/** The quotas of a form: memory and storage in GiB. */
export interface Quotas {
  cpuQuota: number
  memoryQuota: number
  storageQuota: number
}

/** The quotas of a form as the API has them. */
export const quotasToBody = ({ cpuQuota, memoryQuota, storageQuota }: Quotas) => ({
  cpus: cpuQuota,
  memory: bytesOf(memoryQuota),
  storage: bytesOf(storageQuota),
})

const largest = 2n ** 63n - 1n
/** All digits of a size, up to the largest quota. */
function bytesOf(gibibytes: number): number | bigint {
  const bytes = Math.round(gibibytes * GiB)
  if (Number.isSafeInteger(bytes) || !Number.isFinite(bytes)) return bytes
  return bytes > largest ? largest : BigInt(bytes)
}

/** The quotas to change. The API rounds none that is left out. */
export function changedQuotas(before: Quotas, after: Quotas): Partial<ReturnType<typeof quotasToBody>> {
  const [was, is] = [quotasToBody(before), quotasToBody(after)]
  return {
    ...(is.cpus === was.cpus ? {} : { cpus: is.cpus }),
    ...(is.memory === was.memory ? {} : { memory: is.memory }),
    ...(is.storage === was.storage ? {} : { storage: is.storage }),
  }
}

/** The quotas of a silo as its form has them. */
export const quotasOf = (silo: Record<'cpus' | 'memory' | 'storage', number | bigint>): Quotas => ({
  cpuQuota: Number(silo.cpus),
  memoryQuota: Number(silo.memory) / GiB,
  storageQuota: Number(silo.storage) / GiB,
})

const quotas = formPart<Quotas>()
const most = 2 ** 63 / GiB

/** The fields of the quotas of a silo, with what it uses and what is free now, where that is known. */
export function QuotaControls<F extends Quotas>({
  control: given,
  use,
}: {
  control: Control<F>
  use?: Utilization | undefined
}) {
  const control = quotas(given)
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
        max={Number.MAX_SAFE_INTEGER}
        hint={use && inUse(use, 'cpus')}
      />
      {(['memoryQuota', 'storageQuota'] as const).map((name) => (
        <SizeQuota key={name} name={name} control={control} use={use} />
      ))}
    </>
  )
}

const inUse = (use: Utilization, key: Resource) =>
  `${amountOf(key, use.provisioned[key])} in use. ${leftText(use, key)}`

const resourceOf = { memoryQuota: 'memory', storageQuota: 'storage' } as const

/** A quota in GiB, with the size as other screens write it. */
function SizeQuota({
  name,
  control,
  use,
}: {
  name: keyof typeof resourceOf
  control: Control<Quotas>
  use: Utilization | undefined
}) {
  const size = useWatch({ control, name })
  const hints = [
    ...(size >= 1024 ? [`${formatSize(size * GiB)}.`] : []),
    ...(use ? [inUse(use, resourceOf[name])] : []),
  ]
  return (
    <NumberControl
      name={name}
      control={control}
      required
      units="GiB"
      min={0}
      max={most}
      hint={hints.length > 0 ? hints.join(' ') : undefined}
    />
  )
}
