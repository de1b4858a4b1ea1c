import { RadioCards } from '#/ui/field/RadioCards.tsx'
import { control } from './control.tsx'
import { readText } from './useField.ts'

/** RadioCards of a form. */
export const RadioCardsControl = control(RadioCards, readText)
