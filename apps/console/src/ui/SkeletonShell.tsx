import { Skeleton } from './Skeleton.tsx'

/** The shape of the console while its first page loads: top bar, sidebar, an empty page. */
export function SkeletonShell() {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="grid h-screen grid-rows-[var(--topbar)_1fr] frame:grid-cols-[var(--sidebar)_1fr]"
    >
      <div className="flex items-center gap-2.5 border-r border-b border-line-faint px-4 max-frame:hidden">
        <Skeleton className="size-7" />
        <Skeleton className="h-3 w-24" />
      </div>
      <div className="flex items-center gap-2.5 border-b border-line-faint px-5">
        <Skeleton className="h-3 w-40" />
        <Skeleton className="ml-auto h-3 w-28" />
      </div>
      <div className="flex flex-col gap-[18px] border-r border-line-faint px-4 py-5 max-frame:hidden">
        {['w-24', 'w-32', 'w-20', 'w-28', 'w-24', 'w-16'].map((width, i) => (
          <Skeleton key={i} className={`h-3 ${width}`} />
        ))}
      </div>
      <div className="px-8 py-7">
        <Skeleton className="h-5 w-48" />
      </div>
    </div>
  )
}
