import { Button } from '#/ui/button/Button.tsx'
import { ExternalLink } from '#/ui/button/link.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'

const repositories = [
  { name: 'Web console', href: 'https://code.purlin.example/console', about: 'what you are looking at' },
  {
    name: 'TypeScript API client',
    href: 'https://code.purlin.example/contract',
    about: 'the contract and the client made from it',
  },
  {
    name: 'Control plane and API',
    href: 'https://code.purlin.example/core',
    about: 'what runs behind it, here inside this page',
  },
]

/** Explains the technical preview, and what happens to entered data. */
export function PreviewDialog({ onDismiss }: { onDismiss: () => void }) {
  return (
    <Modal
      title="About this preview"
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Done</Button>}
    >
      <ModalSection>
        <p>
          This console runs against a mock API inside your browser. What you create stays while you move
          around in the console and is gone when the page is refreshed.
        </p>
        <p className="mt-3">
          Request and response bodies follow the public API description. The mock is only as detailed as the
          development of the console needs.
        </p>
        <ul className="mt-3 flex flex-col gap-1">
          {repositories.map(({ name, href, about }) => (
            <li key={name}>
              <ExternalLink href={href}>{name}</ExternalLink>{' '}
              <span className="text-secondary">– {about}</span>
            </li>
          ))}
        </ul>
      </ModalSection>
    </Modal>
  )
}
