// Numbers the copy buttons of code blocks, which are landmarks that would have no name.
(() => {
  const article = document.querySelector("article");
  const label = () =>
    article?.querySelectorAll(".md-code__nav:not([aria-label])").forEach((nav) => {
      const number = [...article.querySelectorAll(".md-code__nav")].indexOf(nav) + 1;
      nav.setAttribute("aria-label", `Code block ${number}`);
    });
  if (article) new MutationObserver(label).observe(article, { childList: true, subtree: true });
  label();
})();

// Filters the tables of the page that lists the rules, by words and by severity.
(() => {
  const tables = [...document.querySelectorAll("article table")].filter((table) => table.querySelector("th")?.textContent === "rule");
  if (!tables.length || !document.querySelector("h1")?.textContent.startsWith("Rules")) return;
  const words = Object.assign(document.createElement("input"), { type: "search", placeholder: "words of a rule" });
  words.setAttribute("aria-label", "Show rules with these words");
  const severity = document.createElement("select");
  severity.setAttribute("aria-label", "Show rules of this severity");
  for (const name of ["every severity", "error", "warning", "info"]) severity.add(new Option(name));
  const count = document.createElement("output");
  const bar = Object.assign(document.createElement("div"), { className: "rule-filter" });
  bar.append(words, severity, count);
  tables[0].closest("article").querySelector("h2").before(bar);

  function show() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const table of tables) {
      let any = false;
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        const isShown =
          wanted.every((word) => text.includes(word)) &&
          (severity.selectedIndex === 0 || row.cells[1].textContent === severity.value);
        row.hidden = !isShown;
        any ||= isShown;
        shown += isShown;
      }
      const parts = [table.closest(".md-typeset__scrollwrap") ?? table];
      for (let part = parts[0].previousElementSibling; part; part = part.previousElementSibling) {
        parts.push(part);
        if (part.tagName === "H2") break;
      }
      for (const part of parts) part.hidden = !any;
    }
    count.textContent = `${shown} rules`;
  }
  words.addEventListener("input", show);
  severity.addEventListener("change", show);
  show();
})();
