/** The fields that a form shows, by its control: each with its label, in the order of the page. */
const shown = new WeakMap<object, Map<string, string>>()

/** Adds a field; what it returns takes the field away. */
export function showField(control: object, name: string, label: string): () => void {
  const fields = shown.get(control) ?? new Map<string, string>()
  shown.set(control, fields.set(name, label))
  return () => fields.delete(name)
}

/** Their labels by name. */
export const shownFields = (control: object): ReadonlyMap<string, string> => shown.get(control) ?? new Map()
