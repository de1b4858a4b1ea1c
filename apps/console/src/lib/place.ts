/** Where a floating box goes: the side of its anchor, and which edges line up. */
export type Placement = 'top' | 'bottom' | 'right' | 'bottom-start' | 'bottom-end'

/** A rectangle in the coordinates of the window. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** What a floating box is placed by; `gap` is kept to the anchor and `margin` to the window's edges. */
export interface PlaceRequest {
  anchor: Box
  size: { width: number; height: number }
  window: { width: number; height: number }
  placement: Placement
  gap: number
  margin: number
}

const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max))

const leftOf = ({ anchor, size, placement, gap, window, margin }: PlaceRequest): number => {
  if (placement === 'bottom-start') return anchor.left
  if (placement === 'bottom-end') return anchor.left + anchor.width - size.width
  if (placement === 'right') {
    const right = anchor.left + anchor.width + gap
    const left = anchor.left - gap - size.width
    const fitsRight = right + size.width <= window.width - margin
    return fitsRight || left < margin ? right : left
  }
  return anchor.left + (anchor.width - size.width) / 2
}

const topOf = ({ anchor, size, placement, gap, window, margin }: PlaceRequest): number => {
  if (placement === 'right') return anchor.top + (anchor.height - size.height) / 2
  const above = anchor.top - gap - size.height
  const below = anchor.top + anchor.height + gap
  const fitsAbove = above >= margin
  const fitsBelow = below + size.height <= window.height - margin
  if (placement === 'top') return fitsAbove || !fitsBelow ? above : below
  return fitsBelow || !fitsAbove ? below : above
}

/** The left and top of a floating box: on the wanted side if it fits there, else on the other, always in the window. */
export const place = (request: PlaceRequest): { left: number; top: number } => {
  const { size, window, margin } = request
  return {
    left: clamp(leftOf(request), margin, Math.max(margin, window.width - margin - size.width)),
    top: clamp(topOf(request), margin, Math.max(margin, window.height - margin - size.height)),
  }
}
