import type { Control, FieldValues } from 'react-hook-form'

/**
 * The control of any form that has at least the fields `P`, for parts that several forms share. The library's types
 * allow that only by asserting the name of each field.
 */
export const formPart =
  <P extends FieldValues>() =>
  <F extends P>(control: Control<F>) =>
    control as unknown as Control<P>
