/** The types of the values that a person enters in a template of user data. */
export const fieldTypes = ['text', 'lines', 'ssh_keys', 'secret'] as const
export type FieldType = (typeof fieldTypes)[number]
