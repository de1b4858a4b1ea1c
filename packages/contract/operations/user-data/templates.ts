/** Of our own: templates of user data, with the fields that a person fills in. */
import { limits } from '#/rules/limits.ts'
import { fieldTypes } from '#/rules/user-data/fields.ts'
import { array, boolean, enumOf, integer, nullable, object, optional, ref, string, unlimited } from '#/schema.ts'
import { identity, kept, keptGiven } from '#/schemas/identity.ts'
import { Name, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const { fields: count, label, default: longest } = limits.userDataTemplate
const { userData } = limits.instance

const Field = ref('UserDataField', object({
  name: Name,
  type: enumOf(fieldTypes),
  label: optional(nullable(string({ maxLength: label }))),
  help: optional(nullable(string({ maxLength: limits.description }))),
  default: optional(nullable(string({ maxLength: longest }))),
  required: optional(nullable(boolean())),
}))
const text = string({ maxLength: userData })
const fields = array(Field, { count, noun: 'fields' })

export const {
  userDataTemplateList, userDataTemplateCreate, userDataTemplateView, userDataTemplateUpdate, userDataTemplateDelete,
} = plainOps('userDataTemplate', {
  response: ref('UserDataTemplate', object({
    ...identity,
    ...kept,
    projectId: Uuid,
    // Pages of a list would be large with them.
    text: optional(string(unlimited)),
    fields: optional(array(Field, unlimited)),
    /** A number in lists as well, which have no fields. */
    fieldCount: optional(integer({ min: 0 })),
  })),
  create: { ...keptGiven, text, fields: optional(nullable(fields)) },
  update: { ...keptGiven, text: optional(nullable(text)), fields: optional(nullable(fields)) },
})
