import { keysOfPage, keyText, pageKeys, plainKeysStore } from '#/resource/list/pageKeys.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Kbd } from '#/ui/value/Kbd.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'
import { PlainKeysSwitch } from '#/resource/list/PlainKeysSwitch.tsx'
import { useStore } from '#/lib/store.ts'
import { placesOfPage } from '../placeKeys.ts'

/** The keyboard shortcuts of common parts of pages. */
const ofParts = [
  { keys: ['Tab', 'Shift Tab'], does: 'Go to the next or previous control' },
  { keys: ['Enter'], does: 'Press a button, follow a link, choose an entry' },
  { keys: ['Space'], does: 'Check a box, press a button' },
  { keys: ['↑', '↓'], does: 'Move in menus, lists of choices and the palette' },
  { keys: ['←', '→'], does: 'Move between tabs, and along charts' },
  { keys: ['Esc'], does: 'Close the topmost dialog or menu' },
]

const Line = ({ keys, does }: { keys: readonly string[]; does: string }) => (
  <div className="flex items-baseline justify-between gap-4 py-1.5">
    <dt>{does}</dt>
    <dd className="flex shrink-0 gap-1.5">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
    </dd>
  </div>
)

/** The keys that work on the page below. */
export function KeysDialog({ onDismiss }: { onDismiss: () => void }) {
  const isOn = useStore(plainKeysStore) === 'on'
  return (
    <Modal title="Keys" onDismiss={onDismiss} footer={<Button onClick={onDismiss}>Close</Button>}>
      <ModalSection>
        <h3 className="font-semibold">On this page</h3>
        <dl>
          {keysOfPage().map((name) => (
            <Line key={name} keys={[keyText(name)]} does={pageKeys[name].does} />
          ))}
        </dl>
        <PlainKeysSwitch />
      </ModalSection>
      {isOn && (
        <ModalSection>
          <h3 className="font-semibold">Go to</h3>
          <dl>
            {placesOfPage().map(({ label, letter }) => (
              <Line key={label} keys={[keyText('go'), letter]} does={label} />
            ))}
          </dl>
        </ModalSection>
      )}
      <ModalSection>
        <h3 className="font-semibold">Everywhere</h3>
        <dl>
          {ofParts.map((line) => (
            <Line key={line.does} {...line} />
          ))}
        </dl>
      </ModalSection>
    </Modal>
  )
}
