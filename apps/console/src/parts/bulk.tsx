/** What is done with several rows at once. */
import { errorMessage } from '../send.ts'
import { addToast } from '../ui/toast.ts'

/** Requests under way at a time: the others wait, so that a long selection does not crowd out the page. */
export const atOnce = 4

/** '1 disk', '3 disks' */
export const countOf = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

interface Row {
  id: string
  name: string
}

/** The names of the rows, one below the other. */
export function NameList({ rows }: { rows: readonly Row[] }) {
  return (
    <ul className="max-h-40 list-disc overflow-y-auto pl-5 text-ink">
      {rows.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  )
}

/** Tells what went wrong with which row, if anything did: '2 disks could not be deleted'. */
export function tellFailures(
  noun: string,
  done: string,
  failures: readonly { item: Row; error: unknown }[],
): void {
  if (failures.length === 0) return
  addToast({
    variant: 'error',
    title: `${countOf(failures.length, noun)} could not be ${done}`,
    content: (
      <ul>
        {failures.map(({ item, error }) => (
          <li key={item.id}>
            {item.name}: {errorMessage(error)}
          </li>
        ))}
      </ul>
    ),
  })
}
