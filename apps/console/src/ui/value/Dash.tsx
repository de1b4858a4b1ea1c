/** Shown for a value that is not known or not set. */
export function Dash() {
  return (
    <span className="text-tertiary">
      <span aria-hidden>—</span>
      <span className="sr-only">None</span>
    </span>
  )
}
