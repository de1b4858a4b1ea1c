/** The mark of Purlin: a roof over three purlins. With `withName`, followed by the name. */
export function BrandMark({ size = 22, withName = false }: { size?: number; withName?: boolean }) {
  const mark = (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 22 22"
      fill="none"
      stroke="var(--accent)"
      strokeWidth="1.7"
      className="shrink-0"
    >
      <path d="M2 8 11 3l9 5" />
      <path d="M4.5 11h13M4.5 15h13M4.5 19h13" />
    </svg>
  )
  if (!withName) return mark
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold tracking-[0.01em]">
      {mark}
      Purlin
    </span>
  )
}
