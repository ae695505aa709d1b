import { createContext, Script } from "node:vm";

/** Result of a function, and the origin that it selected. */
export interface EdgeRun<Returned> {
  readonly returned: Returned;
  readonly originId: string | undefined;
}

/** Runs the deployed artifact in a context with only the language and CloudFront's module. */
export function runEdgeFunction<Returned>(code: string, event: object, rawQuery?: string): EdgeRun<Returned> {
  const chosen: string[] = [];
  const cf = { selectRequestOriginById: (id: string) => chosen.push(id) };
  const context = createContext({ rawQuery, cf });
  new Script(code.replace(/^import cf from "cloudfront";\n/, "")).runInContext(context);
  const call = `(() => {
    const event = ${JSON.stringify(event)};
    event.request.rawQueryString = () => rawQuery;
    return JSON.stringify(handler(event));
  })()`;
  const returned = JSON.parse(new Script(call).runInContext(context)) as Returned;
  return { returned, originId: chosen.at(-1) };
}

/** Converts headers or cookies to the shape of the event. */
export function valuesOf(values: Readonly<Record<string, string>>): Record<string, { value: string }> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
}
