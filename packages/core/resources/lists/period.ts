/** The period of time that a list is limited to. */
import { fault } from '#/faults.ts'

interface Period {
  startTime?: Date | null | undefined
  endTime?: Date | null | undefined
}

/** Throws 400 for a period that ends before it begins. */
export function checkPeriod({ startTime, endTime }: Period): void {
  if (startTime && endTime && endTime < startTime)
    throw fault.invalidValue('end_time', 'it is before start_time')
}
