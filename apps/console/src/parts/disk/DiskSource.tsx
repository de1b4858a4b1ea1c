import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/link.tsx'
import { Dash } from '../../ui/PropertiesTable.tsx'
import { FoundName, things, useThing } from '../things.tsx'
import type { Disk } from './disks.tsx'

type Made = Pick<Disk, 'imageId' | 'snapshotId'>

/** What a disk began as. */
export function DiskType({ disk: { imageId, snapshotId } }: { disk: Made }) {
  if (imageId) return 'Image'
  return snapshotId ? 'Snapshot' : 'Blank'
}

interface SourceProps {
  project: string
  id: string
  /** Whether the name leads to the details of the source. */
  linked: boolean
}

/** What a disk was made from, if anything. Its source may be gone, the disk is none the worse for it. */
export function DiskSource({
  disk: { imageId, snapshotId },
  project,
  linked = false,
}: {
  disk: Made
  project: string
  linked?: boolean
}) {
  if (imageId) return <ImageName project={project} id={imageId} linked={linked} />
  return snapshotId ? <SnapshotName project={project} id={snapshotId} linked={linked} /> : <Dash />
}

function ImageName({ project, id, linked }: SourceProps) {
  return (
    <FoundName found={useThing(things.image(project), id)} gone="Image deleted">
      {({ name, projectId }) => (
        <Name
          href={linked && (projectId ? paths.projectImage({ project, image: name }) : paths.siloImage(name))}
        >
          {name}
        </Name>
      )}
    </FoundName>
  )
}

function SnapshotName({ project, id, linked }: SourceProps) {
  return (
    <FoundName found={useThing(things.snapshot(project), id)} gone="Snapshot deleted">
      {({ name }) => <Name href={linked && paths.snapshot({ project, snapshot: name })}>{name}</Name>}
    </FoundName>
  )
}

const Name = ({ href, children }: { href: string | false; children: ReactNode }) =>
  href === false ? children : <TextLink href={href}>{children}</TextLink>
