// What the bundler makes of a page's files: `lib/bundle/page-assets.ts`.

/** A style as it stands in a page. */
declare module "*.css" {
  const style: string;
  export default style;
}

/** A picture's bytes. */
declare module "*.png" {
  const bytes: Uint8Array;
  export default bytes;
}

/** A script as it stands in a page. Without the query the import would be of its code, which runs in browsers only. */
declare module "*.client.ts?text" {
  const script: string;
  export default script;
}
