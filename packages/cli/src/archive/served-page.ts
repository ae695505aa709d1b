/**
 * Page as it was published, from its raw address: a service adds a style to what it serves, and the version says how long the published
 * page is. Undefined if the added style cannot be told from the page's own.
 */
export function withoutServedStyle(served: Buffer, sizeBytes: number): Buffer | undefined {
  const addedBytes = served.length - sizeBytes;
  if (addedBytes === 0) return served;
  // One character a byte.
  for (const { 0: style, index } of served
    .toString("latin1")
    .matchAll(/<style[^>]*>[\s\S]*?<\/style>\s*/gi)) {
    if (style.trimEnd().length <= addedBytes && addedBytes <= style.length)
      return Buffer.concat([served.subarray(0, index), served.subarray(index + addedBytes)]);
  }
  return undefined;
}
