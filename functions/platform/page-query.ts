/** What a page is asked with besides what we ask for it by; the rest of its address is ours. */
const pageQueryBytesMax = 2_048;

/**
 * Ours at a page's address: the specification's `v`, and the forms that a raw page has. A page that uses one of these names itself
 * does not get it.
 */
const ourNames: readonly string[] = ["v", "framed", "download", "drawn"];

/**
 * What of a query is the page's own: every other parameter, in the bytes and the order that it was sent in. What no browser sends
 * unescaped is left out, so that it can stand in a header; and all of it where it is longer than is carried along, since half of
 * it would be another one.
 */
export function pageQueryOf(rawQuery: string): string {
  const own = rawQuery.split("&").filter((pair) => isPrintable(pair) && !ourNames.includes(nameOf(pair)));
  const query = own.join("&");
  return query.length > pageQueryBytesMax ? "" : query;
}

/** The query of an address, `?` included where there is one: our own parameters, and then the page's. */
export function joinQuery(...parts: readonly (string | undefined)[]): string {
  const query = parts.filter(Boolean).join("&");
  return query && `?${query}`;
}

/** RFC 3986, section 3.4, and what browsers send all the same (URL Standard, "query percent-encode set"). */
function isPrintable(pair: string): boolean {
  return /^[!$-~]*$/.test(pair);
}

/** As whoever reads the query decodes it: `%76=1` is `v=1`. */
function nameOf(pair: string): string {
  const [[name] = [""]] = new URLSearchParams(pair);
  return name;
}
