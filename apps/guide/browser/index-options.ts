/** The fields of the index, which the build writes and the browser reads. An entry is a section of a page; its id is its address. */
export const indexOptions: {
  fields: string[]
  storeFields: string[]
} = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['heading', 'title'],
}
