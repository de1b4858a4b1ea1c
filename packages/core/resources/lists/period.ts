/** The period of time that a list is limited to. */
import { fault } from '#/faults.ts'

/** Throws 400 for a period that ends before it begins. */
export function checkPeriod({
  startTime,
  endTime,
}: {
  startTime?: Date | null
  endTime?: Date | null
}): void {
  if (startTime && endTime && endTime < startTime)
    throw fault.invalidValue('end_time', 'it is before start_time')
}
