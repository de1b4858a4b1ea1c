/** The side of the anchor that a floating box opens at, and which edges are aligned. */
export type Placement = 'top' | 'bottom' | 'right' | 'bottom-start' | 'bottom-end'

/** A rectangle in the coordinates of the window. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** A floating box and its surroundings; `gap` separates it from the anchor, `margin` from the window's edges. */
export interface FloatingBox {
  anchor: Box
  size: { width: number; height: number }
  window: { width: number; height: number }
  placement: Placement
  gap: number
  margin: number
}

const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max))

const leftOf = ({ anchor, size, placement, gap, window, margin }: FloatingBox): number => {
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

const topOf = ({ anchor, size, placement, gap, window, margin }: FloatingBox): number => {
  if (placement === 'right') return anchor.top + (anchor.height - size.height) / 2
  const above = anchor.top - gap - size.height
  const below = anchor.top + anchor.height + gap
  const fitsAbove = above >= margin
  const fitsBelow = below + size.height <= window.height - margin
  if (placement === 'top') return fitsAbove || !fitsBelow ? above : below
  return fitsBelow || !fitsAbove ? below : above
}

/** Left and top of a floating box: on the requested side, else on the opposite one, always inside the window. */
export const floatingPosition = (request: FloatingBox): { left: number; top: number } => {
  const { size, window, margin } = request
  return {
    left: clamp(leftOf(request), margin, Math.max(margin, window.width - margin - size.width)),
    top: clamp(topOf(request), margin, Math.max(margin, window.height - margin - size.height)),
  }
}
