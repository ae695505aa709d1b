/**
 * Messages from the framed page's answers script to the viewer. The viewer replies through the message's port. The page
 * can forge the messages.
 */
export type AnswerRequest =
  /** Sends an answer, in `application/x-www-form-urlencoded`, with the form's action URL, which the service has set. */
  | { readonly dropleaf: "answer"; readonly address: string; readonly text: string }
  /** Requests how often each choice was sent. `address` is the form's action URL, or a query with the form's name. */
  | { readonly dropleaf: "results"; readonly address: string };

/** Reply of the viewer or the service. The message is shown to the reader. */
export interface AnswerReply {
  readonly message: string;
  /** Number of answers by field and choice. @default - none, because readers may not see results */
  readonly counts?: readonly (readonly [
    field: string,
    choices: readonly (readonly [choice: string, count: number])[],
  ])[];
}
