import { AppFrame } from '../frame/AppFrame.tsx'
import { Skeleton } from './Skeleton.tsx'

/** The frame of the console while its first page loads. What will be in it is hinted at if that takes long. */
export function SkeletonShell() {
  const home = (
    <div className="flex animate-appear-late items-center gap-2.5 px-2">
      <Skeleton className="size-7" />
      <Skeleton className="h-3 w-24" />
    </div>
  )
  const sidebar = (
    <div className="flex animate-appear-late flex-col gap-[18px] p-2">
      {['w-24', 'w-32', 'w-20', 'w-28', 'w-24', 'w-16'].map((width, i) => (
        <Skeleton key={i} className={`h-3 ${width}`} />
      ))}
    </div>
  )
  const topBar = (
    <div className="flex grow animate-appear-late items-center">
      <Skeleton className="h-3 w-40" />
      <Skeleton className="ml-auto h-3 w-28" />
    </div>
  )
  return (
    <div role="status" aria-label="Loading">
      <div inert>
        <AppFrame home={home} sidebar={sidebar} topBar={topBar}>
          <div className="flex min-h-control animate-appear-late items-center">
            <Skeleton className="h-5 w-48" />
          </div>
        </AppFrame>
      </div>
    </div>
  )
}
