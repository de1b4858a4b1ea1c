/** Resolves when scrolling that has already happened is reported, in the next frame. Lists close when what holds their
 * control scrolls, as it does to show a control that is pressed or gets the focus: open them after that. */
export const afterScroll = (): Promise<number> => new Promise(requestAnimationFrame)
