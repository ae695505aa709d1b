// Types of the page assets that the bundler creates; see `lib/bundle/page-assets.ts`.

/** A style sheet that is inlined in a page. */
declare module "*.css" {
  const style: string;
  export default style;
}

/** The bytes of an image. */
declare module "*.png" {
  const bytes: Uint8Array;
  export default bytes;
}

/** A script that is inlined in a page. Without `?text`, the import would run the script, which only works in browsers. */
declare module "*.client.ts?text" {
  const script: string;
  export default script;
}
