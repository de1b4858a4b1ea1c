import { limits } from '@purlin/contract/rules/limits'
import { fieldTypes } from '@purlin/contract/rules/user-data/fields'
import { namesIn } from '@purlin/contract/rules/user-data/slots'
import { valueProblem } from '@purlin/contract/rules/user-data/template'
import { useDeferredValue, useId } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { capitalize } from '#/lib/text.ts'
import { CheckboxControl } from '#/ui/form/CheckboxControl.tsx'
import { ListboxControl } from '#/ui/form/ListboxControl.tsx'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { newFields, textProblem, typeLabels, type TemplateValues } from './template.ts'

const { label: longestLabel, default: longestDefault } = limits.userDataTemplate
const types = fieldTypes.map((value) => ({ value, label: typeLabels[value] }))

/** The text of a template, and the fields that it has. */
export function TemplateControls<F extends TemplateValues>({ form: given }: { form: UseFormReturn<F> }) {
  // The forms of a change have tags as well.
  const form = given as unknown as UseFormReturn<TemplateValues>
  const { control } = form
  const text = useDeferredValue(useWatch({ control, name: 'text' }))
  const addFields = (typed: string) => {
    for (const [name, values] of Object.entries(newFields(typed, form.getValues('fields'))))
      form.setValue(`fields.${name}`, values)
  }
  const names = namesIn(text)
  return (
    <>
      {/* A mistake is reported when the field is left, and from then on as the text is typed. */}
      <div onBlur={() => text !== '' && void form.trigger('text')}>
        <TextAreaControl
          name="text"
          control={control}
          label="User data"
          refusesEmpty
          mono
          rows={12}
          placeholder={'#cloud-config\nhostname: <<<host>>>'}
          hint={
            <>
              Write <span className="mono [font-variant-ligatures:none] text-ink">{'<<<name>>>'}</span> where
              a person enters a value. Each name becomes a field below.
            </>
          }
          validate={textProblem}
          onValue={addFields}
        />
      </div>
      {names.map((name) => (
        <FieldControls key={name} form={form} name={name} />
      ))}
    </>
  )
}

/** How a person is asked for the value of a field. */
function FieldControls({ form: { control }, name }: { form: UseFormReturn<TemplateValues>; name: string }) {
  const id = useId()
  const type = useWatch({ control, name: `fields.${name}.type` }) ?? 'text'
  const initial = {
    name: `fields.${name}.default`,
    control,
    label: 'Default',
    maxLength: longestDefault,
    validate: (value: string) => {
      const problem = value === '' ? undefined : valueProblem({ type }, value)
      return problem && capitalize(problem)
    },
  } as const
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-3.5 rounded-md border border-line px-4 pt-3 pb-4"
    >
      <h3 id={id} className="font-[550]">
        Field <span className="mono">{name}</span>
      </h3>
      <ListboxControl name={`fields.${name}.type`} control={control} label="Type" required items={types} />
      <TextControl
        name={`fields.${name}.label`}
        control={control}
        label="Label"
        placeholder={name}
        maxLength={longestLabel}
      />
      <TextControl
        name={`fields.${name}.help`}
        control={control}
        label="Help"
        maxLength={limits.description}
      />
      {type === 'secret' ? (
        <p className="text-hint text-secondary">
          A secret is not stored in the template, so it has no default.
        </p>
      ) : type === 'text' ? (
        <TextControl {...initial} mono />
      ) : (
        <TextAreaControl {...initial} mono rows={2} />
      )}
      <CheckboxControl name={`fields.${name}.required`} control={control} label="A value is required" />
    </section>
  )
}
