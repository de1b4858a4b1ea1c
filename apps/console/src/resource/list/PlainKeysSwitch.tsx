import { useStore } from '#/lib/store.ts'
import { CheckboxField } from '#/ui/field/CheckboxField.tsx'
import { plainKeysStore } from './pageKeys.ts'

/** Switches the keys without a modifier on and off. */
export const PlainKeysSwitch = () => (
  <CheckboxField
    label="Keys without a modifier"
    hint="Single characters, such as j for the next row. Switch them off if speech input presses them by accident. Kept in this browser."
    checked={useStore(plainKeysStore) === 'on'}
    onChange={(isOn) => plainKeysStore.set(isOn ? 'on' : 'off')}
  />
)
