/** How much of something is done. `label` is its accessible name. */
export function ProgressBar({
  label,
  percent,
  isHeld = false,
}: {
  label: string
  percent: number
  /** No progress at the moment. */
  isHeld?: boolean
}) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-2 overflow-hidden rounded-[2px] border border-line bg-sunken"
    >
      <div
        className={`h-full transition-[width] duration-(--medium) ${isHeld ? 'bg-tertiary' : 'bg-accent'}`}
        style={{ width: `${percent}%` }}
      />
    </div>
  )
}
