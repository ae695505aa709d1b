interface LargePageData {
  readonly address: string;
  readonly charset: string;
  readonly styleOffset: number;
  readonly inserted: string;
}

/** Fetches the large page and replaces this page with it. Inserts style and script at the start of the page's head. */
async function load({ address, charset, styleOffset, inserted }: LargePageData): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The response for the page was ${response.status}.`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const decoder = new TextDecoder(charset);
  const before = decoder.decode(bytes.subarray(0, styleOffset), { stream: true });
  const after = decoder.decode(bytes.subarray(styleOffset));
  document.open();
  document.write(before + inserted + after);
  document.close();
  document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

load(JSON.parse(document.body.dataset.page ?? "")).catch(() => {
  document.body.textContent = "The page didn’t load. Reload it to try again.";
});
