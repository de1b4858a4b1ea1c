import { tagKeyProblem } from '@purlin/contract/rules/tags'
import { useState } from 'react'
import { Button } from '#/ui/button/Button.tsx'
import { TextField } from '#/ui/field/TextField.tsx'

/** Chooses the key of the tag whose values divide a report. */
export function TagKey({ value, onChange }: { value: string | undefined; onChange: (key: string) => void }) {
  const [key, setKey] = useState(value ?? '')
  const [error, setError] = useState<string>()
  const take = () => {
    const problem = tagKeyProblem(key)
    setError(problem && `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`)
    if (problem === undefined) onChange(key)
  }
  return (
    <div className="flex items-end gap-2">
      <TextField
        label="Tag key"
        required
        mono
        value={key}
        onChange={setKey}
        onEnter={take}
        error={error}
        placeholder="env"
      />
      <Button onClick={take}>Show</Button>
    </div>
  )
}
