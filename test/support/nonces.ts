/** Removes the nonces of a page's content security policy, which differ in each response. */
export function withoutNonces(page: string): string {
  return page.replaceAll(/nonce[-=]\\?"?[\w+/=-]+/g, "nonce");
}
