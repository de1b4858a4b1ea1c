/** Sentences about fields by their owner: the name of a schema, or the name of an operation for its query. */
export type FieldSentences = Readonly<Record<string, Readonly<Record<string, string>>>>
