import { fieldLimits } from '@purlin/contract/field-limits'
import type { OpShape } from '@purlin/contract/op'

/** For the field of a text: whether it is required and how long it may be, as the operation's schema says. */
export function textRules<O extends OpShape>(op: O, field: Parameters<typeof fieldLimits<O>>[1]) {
  const { isRequired, maxLength } = fieldLimits(op, field)
  return { required: isRequired, maxLength }
}
