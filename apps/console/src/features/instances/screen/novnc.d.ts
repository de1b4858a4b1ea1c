/** The part of noVNC that is used here. It has no types. */
declare module '@novnc/novnc' {
  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, channel: object, options?: { shared?: boolean })
    viewOnly: boolean
    scaleViewport: boolean
    background: string
    disconnect(): void
    focus(options?: FocusOptions): void
    sendKey(keysym: number, code: string, isDown: boolean): void
  }
}
