// The bundler's output for a page's files: `lib/bundle/page-assets.ts`.

/** A style that is inlined in a page. */
declare module "*.css" {
  const style: string;
  export default style;
}

/** A picture's bytes. */
declare module "*.png" {
  const bytes: Uint8Array;
  export default bytes;
}

/** A script that is inlined in a page. Without the query, the import would be of its code, which runs only in browsers. */
declare module "*.client.ts?text" {
  const script: string;
  export default script;
}
