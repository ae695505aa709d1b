/**
 * Script of a viewer that other sites may frame. In a frame, links of the bar open in a new tab: the pages behind them refuse frames, so
 * that no site can trick a reader into acting there.
 */
if (window.top !== window)
  for (const link of document.querySelectorAll<HTMLAnchorElement>("header a[href]")) {
    link.target = "_blank";
    link.rel = "noopener";
  }
