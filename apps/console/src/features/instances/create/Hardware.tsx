import { GiB } from '@purlin/contract/rules/limits'
import { useWatch } from 'react-hook-form'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { RadioCardsControl } from '#/ui/form/RadioCardsControl.tsx'
import { FormSection } from './FormSection.tsx'
import { FormTabs } from './FormTabs.tsx'
import { cpuProblem, memoryProblem, type MachineSize } from '#/features/machine-sizes/sizes.ts'
import { familiesOf, firstOf, presetId, type HardwareTab } from './values/presets.ts'
import { QuotaPanel } from './QuotaPanel.tsx'
import type { SectionProps } from './values/sections.ts'

const custom = { value: 'custom', label: 'Custom' } as const

type HardwareProps = Pick<SectionProps, 'form'> & { sizes: readonly MachineSize[] }

export function Hardware({ form, sizes }: HardwareProps) {
  const { control } = form
  const [tab, preset] = useWatch({ control, name: ['hardware', 'preset'] })
  const families = familiesOf(sizes)
  const choose = (next: HardwareTab) => {
    form.clearErrors(['cpus', 'memoryGiB'])
    const chosen = firstOf(families.find(({ value }) => value === next))
    form.setValue('hardware', next, { shouldDirty: true })
    // A preset of a hidden tab is never submitted.
    if (next !== 'custom') form.setValue('preset', chosen.preset, { shouldDirty: true })
  }
  const family = families.find(({ value }) => value === tab)
  const description = family?.sizes.find((size) => presetId(size) === preset)?.description
  return (
    <FormSection
      title="Hardware"
      hint="The vCPUs and memory of the instance. You can resize it while it is stopped."
    >
      <FormTabs label="Hardware" tabs={[...families, custom]} value={tab} onChange={choose}>
        {family ? (
          <RadioCardsControl
            key={family.value}
            name="preset"
            control={control}
            label="Size"
            required
            hint={description || family.hint}
            columns={4}
            // Four cards do not fit in a row on a phone; the grid's columns are an inline style.
            className="max-split:[&_.grid]:grid-cols-2!"
            options={family.sizes.map((size) => ({
              value: presetId(size),
              label: <PresetLabel {...size} />,
            }))}
          />
        ) : (
          <div className="grid gap-4 split:grid-cols-2">
            <NumberControl
              name="cpus"
              control={control}
              label="CPUs"
              required
              integer
              min={1}
              validate={cpuProblem}
            />
            <NumberControl
              name="memoryGiB"
              control={control}
              label="Memory"
              units="GiB"
              required
              integer
              min={1}
              validate={memoryProblem}
            />
          </div>
        )}
      </FormTabs>
      <div className="min-[80rem]:hidden">
        <QuotaPanel form={form} of={['cpus', 'memory']} />
      </div>
    </FormSection>
  )
}

function PresetLabel({ name, ncpus, memory }: MachineSize) {
  const memoryGiB = memory / GiB
  return (
    <>
      <span className="sr-only">
        {ncpus} CPU {memoryGiB} gibibytes RAM, {name}
      </span>
      <span aria-hidden className="flex flex-col gap-0.5 text-md">
        <span>
          <span className="font-mono">{ncpus}</span>{' '}
          <span className="text-hint font-normal text-secondary">vCPUs</span>
        </span>
        <span>
          <span className="font-mono">{memoryGiB}</span>{' '}
          <span className="text-hint font-normal text-secondary">GiB RAM</span>
        </span>
        <span className="truncate text-hint font-normal text-secondary" title={name}>
          {name}
        </span>
      </span>
    </>
  )
}
