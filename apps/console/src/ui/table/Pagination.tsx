import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useId } from 'react'
import { Button } from '../button/Button.tsx'
import { Spinner } from '../feedback/Spinner.tsx'

/** Rows a page may hold. */
export const PAGE_SIZES = [25, 50, 100] as const
/** One of the page sizes offered. */
export type PageSize = (typeof PAGE_SIZES)[number]

const isPageSize = (size: number): size is PageSize => PAGE_SIZES.some((one) => one === size)

/** 'Pagination': rows per page at the left; a spinner, 'prev' and 'next' at the right. */
export interface PaginationProps {
  pageSize: number
  onPageSize: (size: PageSize) => void
  hasPrevious: boolean
  hasNext: boolean
  onPrevious: () => void
  onNext: () => void
  /** 'next' is pointed at or focused. */
  onNextLikely?: () => void
  loading?: boolean
  /** '51–100 of 9,697' */
  position?: string | undefined
}

export function Pagination({
  pageSize,
  onPageSize,
  hasPrevious,
  hasNext,
  onPrevious,
  onNext,
  onNextLikely,
  loading = false,
  position,
}: PaginationProps) {
  const id = useId()
  const choose = (text: string) => {
    const size = Number(text)
    if (isPageSize(size)) onPageSize(size)
  }
  return (
    <nav aria-label="Pagination" className="flex items-center gap-2.5 text-hint text-secondary">
      <select
        id={id}
        value={pageSize}
        onChange={(event) => choose(event.target.value)}
        className="mono h-control-sm rounded-md border border-line bg-raised px-1.5 text-ink"
      >
        {PAGE_SIZES.map((size) => (
          <option key={size} value={size}>
            {size}
          </option>
        ))}
      </select>
      <label htmlFor={id} className="max-split:sr-only">
        rows per page
      </label>
      <span className="grow" />
      {loading && <Spinner />}
      {position && (
        <span role="status" className="text-secondary whitespace-nowrap tabular-nums">
          {position}
        </span>
      )}
      <Button
        size="small"
        disabledReason={hasPrevious ? undefined : 'This is the first page'}
        onClick={onPrevious}
        icon={<ChevronLeft size={13} />}
      >
        prev
      </Button>
      <Button
        size="small"
        disabledReason={hasNext ? undefined : 'This is the last page'}
        onClick={onNext}
        onPointerEnter={onNextLikely}
        onFocus={onNextLikely}
      >
        next <ChevronRight size={13} />
      </Button>
    </nav>
  )
}
