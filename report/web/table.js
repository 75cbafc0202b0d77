// The table is sorted by a column.
const order = new Map(rows.map((row, i) => [row, i]));
const cells = [...table.tHead.rows[0].cells];
cells.forEach((cell, i) => {
  const button = make("button", cell.textContent);
  button.type = "button";
  cell.replaceChildren(button);
  button.addEventListener("click", () => {
    const figures = rows.some((row) => row.cells[i].dataset.v !== undefined);
    const was = cell.getAttribute("aria-sort");
    const up = was ? was === "descending" : !figures || i === 0;
    for (const each of cells) each.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (row) => (figures ? Number(row.cells[i].dataset.v) : row.cells[i].textContent);
    const compare = (a, b) => (figures ? a - b : a.localeCompare(b, "en", { numeric: true }));
    const sorted = [...rows].sort((a, b) => (up ? 1 : -1) * compare(key(a), key(b)) || order.get(a) - order.get(b));
    body.append(...sorted);
  });
});
