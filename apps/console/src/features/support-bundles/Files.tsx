import { supportBundleIndex } from '@purlin/contract/operations/bundles/support-bundles'
import { useQuery } from '@tanstack/react-query'
import { readText } from '#/api/download.ts'
import { errorMessage } from '#/api/errors.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'
import { save } from './save.ts'
import type { Bundle } from './kinds.ts'

/** The files in a bundle, each of which can be downloaded. */
export function Files({ bundle, onDismiss }: { bundle: Bundle; onDismiss: () => void }) {
  const { data, error } = useQuery({
    queryKey: ['support bundle index', bundle.id],
    queryFn: () => readText(supportBundleIndex.path.replace('{bundle_id}', bundle.id), supportBundleIndex),
  })
  const paths = data?.split('\n').filter((path) => path !== '')
  return (
    <Modal
      title="Files in the bundle"
      width="free"
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <ModalSection>
        {error && <p role="alert">{errorMessage(error)}</p>}
        <ul className="max-h-96 overflow-y-auto">
          {paths?.map((path) => (
            <li key={path} className="flex items-center justify-between gap-4 py-1">
              <span className="mono wrap-anywhere">{path}</span>
              <Button size="small" aria-label={`Download ${path}`} onClick={() => void save(bundle, path)}>
                Download
              </Button>
            </li>
          ))}
        </ul>
      </ModalSection>
    </Modal>
  )
}
