/** Sentences about templates of user data. */
import { KiB, limits } from '#/rules/limits.ts'
import type { FieldSentences } from './field-sentences.ts'

export const ofUserData = {
  userDataTemplateList:
    'List the templates of user data of a project. The rows are without texts and fields, which a view of one has.',
  userDataTemplateCreate:
    'Create a template of user data. A client fills in its fields and sends the result as the user data of a new instance.',
  userDataTemplateUpdate:
    'Change a template of user data. Instances that were created from it stay as they are.',
}

const text = `The user data, at most ${limits.instance.userData / KiB} KiB. \`<<<name>>>\` stands for the value of the field with that name. After \`#cloud-config\` it must be valid YAML, in which fields are values.`
const fields = `The fields, at most ${limits.userDataTemplate.fields}. They are those that the text has.`
const keeps = 'Absent or null keeps the present one.'

export const userDataFields: FieldSentences = {
  UserDataTemplate: {
    text: `${text} Absent in lists.`,
    fields: `${fields} Absent in lists.`,
    fieldCount: 'The number of fields.',
  },
  UserDataTemplateCreate: { text, fields: `${fields} None unless given.` },
  UserDataTemplateUpdate: {
    text: `${text} ${keeps}`,
    fields: `${fields} They replace all of them. ${keeps}`,
  },
  UserDataField: {
    name: 'The name of the field in the text, unique in the template.',
    type: 'The kind of value: one line of text, several lines, SSH public keys with one in each line, or a secret that clients do not keep. SSH keys that are a whole value of YAML are a list.',
    label: 'The label in forms; the name of the field unless given.',
    help: 'A text for the person who fills in the field.',
    default: 'The value that forms begin with. A secret has none.',
    required: 'If true, forms ask for a value; false unless given.',
  },
}
