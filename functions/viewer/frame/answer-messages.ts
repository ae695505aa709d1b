/** Messages of a page's forms to the viewer, which replies by the message's port. The page can forge them. */
export type AnswerRequest =
  /** An answer, in `application/x-www-form-urlencoded`, and the address that the service has given to the form. */
  | { readonly dropleaf: "answer"; readonly address: string; readonly text: string }
  /** Requests the counts of a form's choices; `address` is that of the form, or a query with its name. */
  | { readonly dropleaf: "results"; readonly address: string };

/** A reply of the viewer or the service, in words for the reader. */
export interface AnswerReply {
  readonly message: string;
  /** Counts by field and choice. @default - the owner shows no results */
  readonly counts?: readonly (readonly [
    field: string,
    choices: readonly (readonly [choice: string, count: number])[],
  ])[];
}
