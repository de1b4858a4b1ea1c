/** Tables of rows that a form edits, each row in a dialog: the fields of a row, and how a table shows it. */
import type { Check } from '#/lib/input/validate.ts'
import type { Choice } from '#/ui/field/choices.tsx'

/** A row of a table in the form: texts, numbers (NaN for none) and switches. */
export type Row = Record<string, string | number | boolean>

export interface Common {
  name: string
  label: string
  hint?: string
  required?: boolean
  /** No draft keeps it. */
  isSecret?: true
}
export type RowField = Common &
  (
    | { as: 'text'; start?: string; check?: Check<string>; max?: number }
    | { as: 'lines'; start?: string; check?: Check<string> }
    | { as: 'number'; start?: number; min: number; max: number }
    | { as: 'switch'; start: boolean }
    /** `from` names rows or resources that the form knows. */
    | { as: 'choice'; start?: string; items?: readonly Choice[]; from?: 'links' | 'lots' | 'configs' }
  )

export interface RowTable {
  /** 'link' */
  noun: string
  title: string
  most: number
  fields: readonly RowField[]
  /** The fields that the table shows, by their names. */
  shown: readonly string[]
}

/** A text of an answer as a field has it. */
export const text = (value: string | null | undefined): string => value ?? ''
/** The text of a field, without space around it. */
export const textIn = (row: Row, name: string): string => String(row[name] ?? '').trim()
export const textOrNone = (row: Row, name: string): string | null => textIn(row, name) || null
