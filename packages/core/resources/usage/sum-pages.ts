/** Reports of use, a page of groups and days at a time. */
import { dayMs } from '@purlin/contract/rules/usage/reports'
import type { PageQuery } from '@purlin/contract/schemas/page'
import type { Page } from '#/db/lists/list.ts'
import type { ListRequest } from '#/db/lists/page-token.ts'
import { pageByKey } from '#/db/lists/pages.ts'
import {
  amountNames,
  amountsOf,
  groupsOf,
  type Amounts,
  type Group,
  type Part,
  type Question,
} from './sums.ts'

/** The use of one group, on one day or in the whole time. */
export interface Sum extends Amounts {
  siloId?: string
  projectId?: string
  /** Null for resources without the tag. */
  tagValue?: string | null
  /** The beginning of the day in UTC, ms since 1970. */
  day?: number
}

interface Row {
  key: string
  values: readonly string[]
  day: number
  used: Amounts
}

/** One page of a report: in the order of silos and projects by id, values of the tag, and days. */
export async function pageOfSums(
  request: ListRequest,
  query: PageQuery,
  question: Question,
): Promise<Page<Sum>> {
  const groups = await groupsOf(request.tx, question, request.now)
  const items = groups
    .flatMap((group) => rowsOf(group, question))
    .filter(({ used }) => amountNames.some((name) => used[name] !== 0))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const page = pageByKey(request, query, { items, keyOf: ({ key }) => key })
  return { ...page, items: page.items.map((row) => sumOf(row, question)) }
}

const rowOf = (values: readonly string[], day: number, used: Amounts): Row => ({
  // Days since 1970 have five digits.
  key: [...values.map(encodeURIComponent), String(day).padStart(5, '0')].join(' '),
  values,
  day,
  used,
})

/** The use of each day: from its events, and from amounts that began before and go on. */
function rowsOf({ values, days }: Group, { span, byDay }: Question): Row[] {
  if (!byDay) return [...days].map(([day, { used }]) => rowOf(values, day, used))
  const rows: Row[] = []
  const lastDay = Math.floor((span.until - 1) / dayMs)
  let lasting = amountsOf(() => 0)
  for (let day = Math.min(...days.keys()); day <= lastDay; day++) {
    const seconds = (Math.min((day + 1) * dayMs, span.until) - day * dayMs) / 1000
    const own = days.get(day)
    const before = lasting
    const used = amountsOf((name) => before[name] * seconds + (own?.used[name] ?? 0))
    rows.push(rowOf(values, day, used))
    lasting = amountsOf((name) => before[name] + (own?.lasting[name] ?? 0))
  }
  return rows
}

function sumOf({ values, day, used }: Row, { parts, byDay }: Question): Sum {
  const value = (part: Part) => values[parts.indexOf(part)]
  const [siloId, projectId, tag] = [value('inSilo'), value('inProject'), value('tag')]
  return {
    ...(siloId === undefined ? {} : { siloId }),
    ...(projectId === undefined ? {} : { projectId }),
    ...(tag === undefined ? {} : { tagValue: tag === '' ? null : tag.slice(1) }),
    ...(byDay ? { day: day * dayMs } : {}),
    ...used,
  }
}
