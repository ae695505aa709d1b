/** What a framed page's script does for those who write about the page: tells what is selected, and shows a passage. */

const selectionMax = 4_000;
const highlightName = "dropleaf-quote";
let isStyled = false;

/** The text that is selected, as far as anybody quotes it. */
export function selectedText(): string {
  return String(getSelection() ?? "").slice(0, selectionMax);
}

/** Finds a passage, whatever white space is between its words, marks it and scrolls to it; nothing of the page is changed for it. */
export function showQuote(quote: string): boolean {
  const words = quote.split(/\s+/).filter(Boolean);
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s*");
  const nodes: Text[] = [];
  let text = "";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.parentElement?.closest("script,style,noscript,template")) continue;
    nodes.push(node);
    text += node.data;
  }
  const found = pattern ? new RegExp(pattern, "i").exec(text) : null;
  if (!found) return false;
  const range = new Range();
  const end = found.index + found[0].length;
  let at = 0;
  for (const node of nodes) {
    const next = at + node.length;
    if (at <= found.index && found.index < next) range.setStart(node, found.index - at);
    if (at < end && end <= next) range.setEnd(node, end - at);
    at = next;
  }
  mark(range);
  range.startContainer.parentElement?.scrollIntoView({ block: "center" });
  return true;
}

/** CSS Custom Highlight API; by the selection in browsers that do not have it. */
function mark(range: Range): void {
  if (typeof Highlight === "undefined") {
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    return;
  }
  if (!isStyled) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`::highlight(${highlightName}){background:#ffe27a;color:#1a1a00}`);
    document.adoptedStyleSheets.push(sheet);
    isStyled = true;
  }
  CSS.highlights.set(highlightName, new Highlight(range));
}
