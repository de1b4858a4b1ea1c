/** 'Skip to content': the first element in tab order, visible only while focused. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="floating-box fixed top-2 left-2 z-50 -translate-y-20 px-3 py-2 font-medium text-accent-text focus:translate-y-0"
    >
      Skip to content
    </a>
  )
}
