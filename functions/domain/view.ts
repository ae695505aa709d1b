/** Somebody saw a drop's page. */
export interface View {
  readonly ownerId: string;
  readonly slug: string;
}

/** A view as the queue carries it. */
export function toViewMessage({ ownerId, slug }: View): string {
  return JSON.stringify({ owner_id: ownerId, slug });
}

/**
 * The view that a message of the queue tells of.
 *
 * @throws Error when the message is none.
 */
export function parseViewMessage(text: string): View {
  const { owner_id: ownerId, slug } = Object(JSON.parse(text));
  if (!isIdentifier(ownerId) || !isIdentifier(slug)) throw new Error("The message is no view of a drop.");
  return { ownerId, slug };
}

function isIdentifier(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9]+$/.test(value);
}
