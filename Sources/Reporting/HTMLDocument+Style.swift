extension HTMLDocument {
  /// The page's looks: light and dark, narrow and wide, on screen and on paper.
  static let style = """
    :root { --text: #1b1b1f; --faint: #5d5d66; --back: #fbfbfc; --card: #fff; --line: #d9d9e0;
      --good: #176b34; --bad: #b3261e; --doubt: #8a5300; }
    @media (prefers-color-scheme: dark) { :root { --text: #e8e8ec; --faint: #a3a3ad;
      --back: #161618; --card: #1f1f23; --line: #3a3a42; --good: #6fcf8e; --bad: #ff8a80;
      --doubt: #f0b35a; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; max-width: 60rem; padding: 1rem; color: var(--text);
      background: var(--back); font: 1rem/1.45 system-ui, sans-serif; }
    h1 { font-size: 1.5rem; margin: 0; }
    h2 { font-size: 1rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
    p { margin: .25rem 0; }
    .totals { display: flex; flex-wrap: wrap; gap: 1.5rem; list-style: none; padding: 0;
      margin: .5rem 0; }
    .totals strong { font-size: 1.5rem; }
    article { display: grid; grid-template-columns: 8rem 1fr; gap: 1rem; margin: 1rem 0;
      padding: 1rem; background: var(--card); border: 1px solid var(--line);
      border-left-width: .375rem; border-radius: .375rem; }
    article > div { min-width: 0; }
    article.deliverable { border-left-color: var(--good); }
    article.rejected { border-left-color: var(--bad); }
    article.unobtainable { border-left-color: var(--doubt); }
    .thumbnail img { display: block; max-width: 100%; height: auto; max-height: 10rem;
      object-fit: contain; object-position: left top; }
    .facts span + span::before { content: "\\00b7\\00a0"; color: var(--faint); }
    .verdict { font-weight: 600; }
    .deliverable .verdict, .totals .deliverable { color: var(--good); }
    .rejected .verdict, .totals .rejected, .violation code { color: var(--bad); }
    .unobtainable .verdict, .totals .unobtainable, .error code, .warning code {
      color: var(--doubt); }
    .findings { margin: .5rem 0; padding-left: 1.25rem; overflow-wrap: anywhere; }
    .findings li { margin: .25rem 0; }
    .times, .policies, header p { color: var(--faint); font-size: .875rem; }
    @media (max-width: 40rem) { article { grid-template-columns: 1fr; }
      .thumbnail:empty { display: none; } }
    @media print { :root { --text: #000; --faint: #444; --back: #fff; --card: #fff; }
      body { max-width: none; padding: 0; } article { break-inside: avoid; } }
    """
}
