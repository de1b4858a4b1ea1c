import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { ProtectionControl } from '#/resource/form/ProtectionControl.tsx'
import { FormSection } from './FormSection.tsx'
import type { SectionProps } from './values/sections.ts'

export function General({ form: { control } }: Pick<SectionProps, 'form'>) {
  return (
    <FormSection title="General">
      <NameControl name="name" control={control} />
      <DescriptionControl name="description" control={control} />
      <ProtectionControl control={control} />
      <CheckboxControl
        name="start"
        control={control}
        label="Start instance"
        hint="Boot the instance when it is created."
      />
    </FormSection>
  )
}
