/** The 1 px line at the top while a page loads, which fades once `loading` is over: it is to stay for 300 ms more. */
export const LoadingBar = ({ loading }: { loading: boolean }) => (
  <div
    aria-hidden
    className={`pointer-events-none fixed top-0 left-0 z-50 h-px bg-accent ${loading ? 'loading-bar' : 'loading-bar-done'}`}
  />
)
