/** The blocks of all lots, to name one that something refers to by its id. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { sections } from '#/lib/addresses.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { blocksQuery, lotsQuery, type Block } from './kinds.ts'

/** A block by its ends. */
export const rangeOf = ({ firstAddress, lastAddress }: Block): string => `${firstAddress}–${lastAddress}`

interface Found {
  lot: string
  range: string
}

/** Finds a block by its id; undefined while it is not known. */
export function useBlocks(): (id: string) => Found | undefined {
  const lots = useQuery({ ...lotsQuery, throwOnError: false }).data ?? []
  return useQueries({
    queries: lots.map(({ name }) => ({ ...blocksQuery(name), throwOnError: false })),
    combine: (all) => (id: string) => {
      for (const [i, { data }] of all.entries()) {
        const block = data?.find((one) => one.id === id)
        if (block) return { lot: lots[i]?.name ?? '', range: rangeOf(block) }
      }
      return undefined
    },
  })
}

/** The ends of a block and the lot that it is in, as a link to the lot; the id while they are not known. */
export function BlockLink({ id }: { id: string }) {
  const found = useBlocks()(id)
  if (!found) return <span className="mono">{id}</span>
  return (
    <>
      <span className="mono">{found.range}</span> in{' '}
      <TextLink href={sections.addressLot.view({ name: found.lot })}>{found.lot}</TextLink>
    </>
  )
}
