/**
 * Limits of the query that the viewer passes to the page. The edge accepts at most 20 parameters for a raw page, including the service's
 * own two.
 */
const pageQueryBytesMax = 2_048;
const pageParametersMax = 18;

/**
 * Query parameters that pages cannot use, because the service reserves them: `v`, and the parameters that select a variant of a raw page.
 */
const ourNames: readonly string[] = ["v", "framed", "download", "drawn", "live"];

/**
 * Returns the page's own query: all parameters that the service does not reserve, unchanged and in order. Leaves out parameters with
 * characters that browsers escape. A query that is too long is dropped as a whole.
 */
export function pageQueryOf(rawQuery: string): string {
  const own = rawQuery.split("&").filter((pair) => isPrintable(pair) && !ourNames.includes(nameOf(pair)));
  const query = own.join("&");
  return query.length > pageQueryBytesMax || own.length > pageParametersMax ? "" : query;
}

/**
 * Returns true if all characters are query characters of RFC 3986, section 3.4, or others that browsers send unencoded (URL Standard,
 * "query percent-encode set").
 */
function isPrintable(pair: string): boolean {
  return /^[!$-~]*$/.test(pair);
}

/** Decodes a parameter's name, so that `%76=1` counts as `v=1`. */
function nameOf(pair: string): string {
  const [[name] = [""]] = new URLSearchParams(pair);
  return name;
}
