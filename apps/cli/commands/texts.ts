/** The texts of the help, from the sentences about operations and fields. */
import { aboutField } from '@purlin/contract/about/fields'
import { aboutOperation, titleOf } from '@purlin/contract/about/operations'
import type { Flag } from '@purlin/contract/commands/flags'
import type { Texts } from './program.ts'

function flagText({ field, owner, isRequired, isNullable, name, node }: Flag, isKept: boolean): string {
  const about = field ? (aboutField(owner, field) ?? '') : 'The body.'
  // Long lists of values, such as those of filters, are left to the completion.
  const values = node.kind === 'enum' && node.values.length <= 12 ? ` One of: ${node.values.join(', ')}.` : ''
  const file = node.kind === 'string' && node.isSecret ? ' Use @FILE: other users can see flags.' : ''
  const without = isKept && isNullable ? ` --no-${name} removes it.` : ''
  const need = isKept ? ` Stays as it is unless given.${without}` : isRequired ? ' Required.' : ''
  return `${about}${file}${values}${need}`
}

export const texts: Texts = { title: titleOf, about: aboutOperation, flag: flagText }
