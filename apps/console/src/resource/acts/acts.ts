/** The actions on what is not on the page: 'stop web-03', wherever it is. */
import type { SearchedKind } from '@purlin/contract/rules/lists'
import type { ComponentType, ReactNode } from 'react'
import { createStore } from '#/lib/store.ts'
import type { FoundItem } from '../address/search.ts'

/** A resource as it is typed: a part of its name, id or address, and its kind if that is typed as well. */
export interface TypedName {
  text: string
  kind?: SearchedKind
}

/** An action as it is typed. */
export interface TypedAct {
  verb: readonly string[]
  object: TypedName
  /** 'to web-04': the second resource. */
  given?: TypedName
}

export interface FoundActsProps {
  act: TypedAct
  /** The results for its object, best first. */
  found: readonly FoundItem[]
}

export interface ActsFile {
  /** The action in a typed text, or undefined. */
  readAct: (text: string) => TypedAct | undefined
  /** Offers the actions on what is found. */
  FoundActs: ComponentType<FoundActsProps>
}

type Load = () => Promise<{ load: () => Promise<ActsFile> }>
let find: Load = () => Promise.reject(new Error('there are no actions'))

/** Says where they are: they belong to features, which the frame does not know. */
export const setActs = (load: Load): void => void (find = load)

export const loadActs = (): Promise<ActsFile> => find().then(({ load }) => load())

/** The dialog of an action that was chosen in the palette. */
export const actDialogStore = createStore<ReactNode>(null)
