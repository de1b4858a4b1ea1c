import { beforeEach, describe, expect, it, vi } from 'vitest'
import { addToast, clearToasts, removeToast, toastStore } from './toast.ts'

beforeEach(clearToasts)

describe('toasts', () => {
  it('close after 5 s, errors after 15 s, null never', () => {
    addToast({ title: 'a' })
    addToast({ title: 'b', variant: 'error' })
    addToast({ title: 'c', timeout: null })
    expect(toastStore.get().map(({ timeout }) => timeout)).toEqual([5000, 15_000, null])
  })
  it('the newest is last and the oldest is removed when the stack is full', () => {
    for (let i = 1; i <= 6; i += 1) addToast({ title: String(i) })
    expect(toastStore.get().map(({ title }) => title)).toEqual(['2', '3', '4', '5', '6'])
  })
  it('closing calls onClose once', () => {
    const onClose = vi.fn()
    const id = addToast({ title: 'a', onClose })
    removeToast(id)
    removeToast(id)
    expect(onClose).toHaveBeenCalledOnce()
    expect(toastStore.get()).toEqual([])
  })
  it('a subscriber is called for every change until it unsubscribes', () => {
    const listener = vi.fn()
    const leave = toastStore.subscribe(listener)
    const id = addToast({ title: 'a' })
    removeToast(id)
    leave()
    addToast({ title: 'b' })
    expect(listener).toHaveBeenCalledTimes(2)
  })
})
