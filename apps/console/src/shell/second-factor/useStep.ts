import { useState } from 'react'
import { complaint } from './complaint.ts'

/** Runs the steps of a form one at a time: whether one is running, and the problem of the last one. */
export function useStep(onError?: (error: unknown) => void) {
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const run = async (step: () => Promise<void>) => {
    setPending(true)
    setProblem(undefined)
    try {
      await step()
    } catch (error) {
      setProblem(complaint(error))
      onError?.(error)
    } finally {
      setPending(false)
    }
  }
  return { pending, problem, run: (step: () => Promise<void>) => void run(step) }
}
