/** Somebody saw a drop's page. */
export interface View {
  readonly ownerId: string;
  readonly slug: string;
}

/** A view as the queue carries it. */
export function toViewMessage({ ownerId, slug }: View): string {
  return JSON.stringify({ owner_id: ownerId, slug });
}

/** The view of a message, or undefined where the message is not one. */
export function parseViewMessage(text: string): View | undefined {
  try {
    const { owner_id: ownerId, slug } = Object(JSON.parse(text));
    return isIdentifier(ownerId) && isIdentifier(slug) ? { ownerId, slug } : undefined;
  } catch {
    return undefined;
  }
}

function isIdentifier(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9]+$/.test(value);
}
