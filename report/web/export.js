// The graph as a file of its own, as it is shown: with what its styles come to, since programs for
// pictures know neither variables nor functions for colours.
const STYLES = {
  text: ["fill", "font-size", "font-weight", "text-anchor", "text-decoration-line"],
  rect: ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity"],
  path: ["fill", "stroke", "stroke-width"],
  line: ["stroke", "stroke-width", "stroke-dasharray"],
};
const ORDINARY = new Set(["none", "normal", "1", "1px", "start", "400"]);
const dot = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const mixed = new Map();
const plain = (colour) => {
  if (!colour.startsWith("color")) return colour;
  if (!mixed.has(colour)) {
    dot.fillStyle = colour;
    dot.fillRect(0, 0, 1, 1);
    mixed.set(colour, `rgb(${[...dot.getImageData(0, 0, 1, 1).data].slice(0, 3).join(", ")})`);
  }
  return mixed.get(colour);
};
const exported = () => {
  const copy = svg.cloneNode(true), copies = copy.querySelectorAll("*");
  [...svg.querySelectorAll("*")].forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of STYLES[node.localName] ?? []) {
      const value = plain(style.getPropertyValue(name));
      const must = name === "fill" || (name === "stroke" && value !== "none");
      if (must || !ORDINARY.has(value)) copies[i].setAttribute(name.replace("-line", ""), value);
    }
  });
  for (const hidden of copy.querySelectorAll(".folded > .all, .part:not(.folded) > .again")) hidden.remove();
  for (const each of [copy, ...copy.querySelectorAll("*")])
    for (const name of ["id", "class", "role", "tabindex", "href", "data-by"]) each.removeAttribute(name);
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  copy.setAttribute("font-family", getComputedStyle(document.body).fontFamily);
  const paper = document.createElementNS(svg.namespaceURI, "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", getComputedStyle(view).backgroundColor);
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
};
$("export").addEventListener("click", () => {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([exported()], { type: "image/svg+xml" }));
  link.download = `${document.title.split(" · ")[0]}.svg`;
  link.click();
  URL.revokeObjectURL(link.href);
});
