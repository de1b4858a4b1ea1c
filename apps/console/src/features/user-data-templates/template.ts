/** The values of the forms of templates of user data. */
import type {
  userDataTemplateCreate,
  userDataTemplateView,
} from '@purlin/contract/operations/user-data/templates'
import type { Args, Result } from '@purlin/contract/op'
import { recordOf } from '@purlin/contract/rules/keys'
import type { FieldType } from '@purlin/contract/rules/user-data/fields'
import { namesIn } from '@purlin/contract/rules/user-data/slots'
import { templateProblem } from '@purlin/contract/rules/user-data/template'
import { copyName } from '#/lib/input/names.ts'
import { capitalize } from '#/lib/text.ts'

export type UserDataTemplate = Result<typeof userDataTemplateView>
type Body = Args<typeof userDataTemplateCreate>['body']
type Field = NonNullable<Body['fields']>[number]

/** A field as its form has it. */
export interface FieldValues {
  type: FieldType
  label: string
  help: string
  default: string
  required: boolean
}
export interface TemplateValues {
  name: string
  description: string
  text: string
  /** By name. Those that the text does not have are not sent. */
  fields: Record<string, FieldValues>
}

const newField: FieldValues = { type: 'text', label: '', help: '', default: '', required: false }

/** The fields of a text that have no values yet. */
export const newFields = (text: string, known: TemplateValues['fields']): TemplateValues['fields'] =>
  recordOf(
    namesIn(text).filter((name) => !(name in known)),
    () => newField,
  )

export const emptyValues = (text = ''): TemplateValues => ({
  name: '',
  description: '',
  text,
  fields: newFields(text, {}),
})

const fieldValues = ({ type, label, help, default: initial, required }: Field): FieldValues => ({
  type,
  label: label ?? '',
  help: help ?? '',
  default: initial ?? '',
  required: required === true,
})

export const valuesOf = ({
  name,
  description,
  text = '',
  fields = [],
}: UserDataTemplate): TemplateValues => ({
  name,
  description,
  text,
  fields: Object.fromEntries(fields.map((field) => [field.name, fieldValues(field)])),
})

export const copyOf = (template: UserDataTemplate): TemplateValues => ({
  ...valuesOf(template),
  name: copyName(template.name),
})

function bodyOfField(name: string, { type, label, help, default: initial, required }: FieldValues): Field {
  return {
    name,
    type,
    ...(label === '' ? {} : { label }),
    ...(help === '' ? {} : { help }),
    ...(initial === '' || type === 'secret' ? {} : { default: initial }),
    ...(required ? { required } : {}),
  }
}

/** The fields of a text, as a request has them. */
const fieldsIn = ({ text, fields }: Pick<TemplateValues, 'text' | 'fields'>): Field[] =>
  namesIn(text).map((name) => bodyOfField(name, fields[name] ?? newField))

export const bodyOf = (values: TemplateValues): Body => ({
  name: values.name,
  description: values.description,
  text: values.text,
  fields: fieldsIn(values),
})

/** The reason why the text of a form is no template. Defaults are checked where they are. */
export function textProblem(text: string, { fields }: TemplateValues): string | undefined {
  if (text.trim() === '') return 'A text is needed'
  const problem = templateProblem({
    text,
    fields: fieldsIn({ text, fields }).map(({ name, type }) => ({ name, type })),
  })
  return problem && capitalize(problem.reason)
}

export const typeLabels: Record<FieldType, string> = {
  text: 'Text',
  lines: 'Several lines',
  ssh_keys: 'SSH public keys',
  secret: 'Secret',
}
