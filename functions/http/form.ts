/** The fields of a form that was sent as `application/x-www-form-urlencoded` (URL Standard, section 5.1). */
export function parseForm(body: Uint8Array): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(body));
}
