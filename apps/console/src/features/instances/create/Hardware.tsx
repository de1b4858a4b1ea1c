import { useWatch } from 'react-hook-form'
import { NumberControl } from '#/ui/form/NumberControl.tsx'
import { RadioCardsControl } from '#/ui/form/RadioCardsControl.tsx'
import { FormSection } from './FormSection.tsx'
import { FormTabs } from './FormTabs.tsx'
import {
  families,
  firstPreset,
  hardwareTabs,
  presetId,
  type HardwareTab,
  type Size,
} from './values/presets.ts'
import { QuotaPanel } from './QuotaPanel.tsx'
import { cpuProblem, memoryProblem } from './values/rules.ts'
import type { SectionProps } from './values/sections.ts'

export function Hardware({ form }: Pick<SectionProps, 'form'>) {
  const { control } = form
  const tab = useWatch({ control, name: 'hardware' })
  const choose = (next: HardwareTab) => {
    form.clearErrors(['cpus', 'memoryGiB'])
    form.setValue('hardware', next, { shouldDirty: true })
    // A preset of a hidden tab is never submitted.
    if (next !== 'custom') form.setValue('preset', firstPreset(next), { shouldDirty: true })
  }
  const family = families.find(({ value }) => value === tab)
  return (
    <FormSection
      title="Hardware"
      hint="The vCPUs and memory of the instance. You can resize it while it is stopped."
    >
      <FormTabs label="Hardware" tabs={hardwareTabs} value={tab} onChange={choose}>
        {family ? (
          <RadioCardsControl
            key={family.value}
            name="preset"
            control={control}
            label="Size"
            required
            hint={family.hint}
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

function PresetLabel({ cpus, memoryGiB }: Size) {
  return (
    <>
      <span className="sr-only">
        {cpus} CPU {memoryGiB} gibibytes RAM
      </span>
      <span aria-hidden className="flex flex-col gap-0.5 text-md">
        <span>
          <span className="font-mono">{cpus}</span>{' '}
          <span className="text-hint font-normal text-secondary">vCPUs</span>
        </span>
        <span>
          <span className="font-mono">{memoryGiB}</span>{' '}
          <span className="text-hint font-normal text-secondary">GiB RAM</span>
        </span>
      </span>
    </>
  )
}
