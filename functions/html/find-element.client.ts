/**
 * The element of the page that a script cannot do without.
 *
 * @throws TypeError when the page has no element of this id, or one of another kind
 */
export function findElement<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`#${id}`);
}
