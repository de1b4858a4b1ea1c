import {
  fillTemplate,
  startValues,
  templateProblem,
  valueProblem,
  type Template,
} from '@purlin/contract/rules/user-data/template'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useForm, useWatch, type Control } from 'react-hook-form'
import { errorMessage } from '#/api/errors.ts'
import { load } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { capitalize } from '#/lib/text.ts'
import { ResourceForm } from '#/resource/form/ResourceForm.tsx'
import { usePicker } from '#/resource/form/usePicker.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import type { UserDataTemplate } from './template.ts'

/** A template with the values of its fields. They may be secrets: they are kept in memory only. */
export interface Filled {
  /** Its name; empty until one is chosen. */
  template: string
  values: Record<string, string>
}

export interface FillTemplateProps {
  project: string
  /** The public keys that fields for SSH keys begin with. */
  sshKeys: readonly string[]
  /** The values that were filled in before. */
  filled: Filled | undefined
  /** Takes the user data. */
  onFilled: (text: string, filled: Filled) => void
  onDismiss: () => void
  /** Whether there is a text already. */
  replaces: boolean
}

type Field = NonNullable<UserDataTemplate['fields']>[number]

const contentOf = ({ text = '', fields = [] }: UserDataTemplate) => ({ text, fields })

/** Asks for the values of a template, and shows the user data that they make. */
export function FillTemplate({ project, sshKeys, filled, onFilled, onDismiss, replaces }: FillTemplateProps) {
  const form = useForm<Filled>({ defaultValues: filled ?? { template: '', values: {} } })
  const name = useWatch({ control: form.control, name: 'template' })
  const picker = usePicker(kinds.userDataTemplate, { scope: { project }, value: name, by: 'name' })
  const read = (template: string) => viewQuery(kinds.userDataTemplate, template, { project })
  const { data, error } = useQuery({ ...read(name), enabled: name !== '', throwOnError: false })
  const template = data?.name === name ? contentOf(data) : undefined
  const begin = async (picked: string) => {
    const found = await load(read(picked)).catch(() => undefined)
    if (found === undefined || form.getValues('template') !== picked) return
    const { fields } = contentOf(found)
    form.setValue('values', { ...startValues(fields, sshKeys) })
  }
  const use = async (values: Filled) => {
    const { text, fields } = contentOf(await load(read(values.template)))
    const problem = templateProblem({ text, fields })
    if (problem) throw new Error(problem.reason)
    onFilled(fillTemplate({ text, fields }, values.values), values)
  }
  const problem = picker.problem ?? (error ? errorMessage(error) : undefined)
  return (
    <ResourceForm
      animate
      title="Fill in a template"
      submitLabel="Use this user data"
      form={form}
      onSubmit={use}
      request={null}
      onDismiss={onDismiss}
      aside={template && { title: 'User data', body: <Preview control={form.control} template={template} /> }}
    >
      <ComboboxControl
        name="template"
        control={form.control}
        label="Template"
        required
        placeholder="Select a template"
        hint={problem ?? (picker.isEmpty ? <NoTemplate project={project} /> : undefined)}
        onPick={(picked) => void begin(picked)}
        {...picker.field}
      />
      {template?.fields.map((field) => (
        <ValueControl key={field.name} field={field} control={form.control} />
      ))}
      {replaces && <p className="text-hint text-secondary">It replaces the user data that you have typed.</p>}
    </ResourceForm>
  )
}

const NoTemplate = ({ project }: { project: string }) => (
  <>
    The project has no template yet. Create one under{' '}
    <TextLink href={sections.userDataTemplate.list(project)}>{kinds.userDataTemplate.title}</TextLink>.
  </>
)

function ValueControl({ field, control }: { field: Field; control: Control<Filled> }) {
  const { name, type, label, help } = field
  const props = {
    name: `values.${name}`,
    control,
    label: label ?? name,
    required: field.required === true,
    mono: true,
    ...(help ? { hint: help } : {}),
    validate: (value: string) => {
      const problem = valueProblem(field, value)
      return problem && capitalize(problem)
    },
  } as const
  switch (type) {
    case 'text':
      return <TextControl {...props} />
    case 'secret':
      return <TextControl {...props} type="password" autoComplete="new-password" />
    case 'lines':
      return <TextAreaControl {...props} rows={3} />
    case 'ssh_keys':
      return <TextAreaControl {...props} rows={3} hint={help ?? 'Public keys, one in each line.'} />
  }
}

/** The user data as it is with the values that are valid. Secrets are hidden. */
function Preview({ control, template }: { control: Control<Filled>; template: Template }) {
  const values = useDeferredValue(useWatch({ control, name: 'values' }))
  const problem = templateProblem(template)
  if (problem) return <p className="text-danger">{capitalize(problem.reason)}</p>
  const shown = Object.fromEntries(
    template.fields.map(({ name, type }) => {
      const value = values[name] ?? ''
      const isShown = valueProblem({ type }, value) === undefined
      return [name, !isShown ? '' : type === 'secret' && value !== '' ? '••••••••' : value]
    }),
  )
  return (
    <pre className="mono rounded-md border border-line bg-sunken px-3 py-2.5 leading-relaxed [font-variant-ligatures:none] whitespace-pre-wrap wrap-anywhere text-secondary">
      {fillTemplate(template, shown)}
    </pre>
  )
}
