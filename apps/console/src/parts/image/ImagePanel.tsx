import { imageView } from '@purlin/contract/operations/images'
import { useSuspenseQuery } from '@tanstack/react-query'
import Images from 'lucide-react/icons/images'
import { query } from '../../api.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { idProperty, PropertiesTable } from '../../ui/PropertiesTable.tsx'
import { SideModal } from '../../ui/SideModal.tsx'
import { Size } from '../../ui/Size.tsx'
import { Truncate } from '../../ui/Truncate.tsx'
import { ofOne, usePolling } from '../polling.ts'
import type { Image } from './images.tsx'

/** The query of one image by name: of a project or, without one, of the silo. */
export const imageQuery = ({ image, project }: { image: string; project?: string }) =>
  query(imageView, { params: { image }, query: project ? { project } : {} })

/** What is known of an image, in a panel above its list. */
export function ImagePanel({
  read,
  onDismiss,
}: {
  read: ReturnType<typeof imageQuery>
  onDismiss: () => void
}) {
  const poll = usePolling<Image>((image) => (isDigestDue(image) ? 'computing' : undefined))
  const { data: image } = useSuspenseQuery({
    ...read,
    refetchInterval: ofOne(poll),
  })
  const properties = [
    idProperty(image.id),
    {
      label: 'Visibility',
      value: (
        <Badge tone={image.projectId ? 'neutral' : 'accent'}>{image.projectId ? 'project' : 'silo'}</Badge>
      ),
    },
    { label: 'Description', value: image.description },
    { label: 'OS', value: image.os },
    { label: 'Version', value: image.version },
    { label: 'Size', value: <Size bytes={image.size} /> },
    { label: 'Block size', value: <span className="mono">{image.blockSize} B</span> },
    {
      label: 'Digest',
      value: image.digest ? <Digest of={image.digest} /> : isDigestDue(image) ? 'Not computed yet' : null,
    },
    { label: 'Created', value: <DateTime date={image.timeCreated} /> },
    { label: 'Updated', value: <DateTime date={image.timeModified} /> },
  ]
  return (
    <SideModal
      title="Image details"
      resource={
        <>
          <Images aria-hidden /> {image.name}
        </>
      }
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      <PropertiesTable columns={1} properties={properties} />
    </SideModal>
  )
}

const Digest = ({ of: { type, value } }: { of: NonNullable<Image['digest']> }) => (
  <Truncate text={`${type}:${value}`} max={26} at="middle" copyable className="mono" />
)

const day = 24 * 3_600_000
/** The digest of a new image is computed after it was made; an old image without one gets none. */
const isDigestDue = ({ digest, timeCreated }: Image): boolean =>
  !digest && Date.now() - timeCreated.getTime() < day
