/** The overview of a project, as its parts read it. */
import { projectOverview } from '@purlin/contract/operations/projects/projects'
import type { Result } from '@purlin/contract/op'
import { kindOfType } from '@purlin/contract/rules/kinds'
import {
  diskTransitional,
  isTransitional,
  snapshotTransitional,
  type InstanceState,
} from '@purlin/contract/rules/states'
import { query } from '#/api/query.ts'
import type { Kind } from '#/resource/kind.ts'
import { sectionsOfProject } from '#/resource/kinds.ts'

export type Overview = Result<typeof projectOverview>
export type Counts = Overview['resources'][number]
export type Failure = Overview['failures'][number]

export const overviewQuery = (project: string) => ({
  ...query(projectOverview, { params: { project } }),
  throwOnError: false,
})

/** The kind with this type in messages. */
export const kindOf = (type: string): Kind | undefined =>
  sectionsOfProject.find(({ name }) => name === kindOfType(type))

const words: Readonly<Record<string, string>> = { true: 'attached', false: 'not attached' }

/** The resources of a kind in one state: how many, the word for it, and the filter of their list. */
export interface InState {
  value: string
  word: string
  count: number
  filter: string
}

/** The states of the resources of a kind that there are. */
export const statesOf = ({ totals }: Pick<Counts, 'totals'>): InState[] =>
  Object.entries(totals).flatMap(([column, each]) =>
    Object.entries(each)
      .filter(([, count]) => count > 0)
      .map(([value, count]) => ({
        value,
        word: words[value] ?? value.replaceAll('_', ' '),
        count,
        filter: `${column}:${value}`,
      })),
  )

const isChanging: Readonly<Record<string, (state: string) => boolean>> = {
  instance: (state) => isTransitional(state as InstanceState),
  disk: (state) => (diskTransitional as readonly string[]).includes(state),
  snapshot: (state) => (snapshotTransitional as readonly string[]).includes(state),
}

/** Resources on the way to another state: `2 instances`, `starting`. */
export interface Change extends InState {
  kind: Kind
}

export const changesIn = (resources: readonly Pick<Counts, 'kind' | 'totals'>[]): Change[] =>
  resources.flatMap((counts) => {
    const kind = kindOf(counts.kind)
    const states = statesOf(counts).filter(({ value }) => isChanging[counts.kind]?.(value))
    return kind ? states.map((one) => ({ ...one, kind })) : []
  })
