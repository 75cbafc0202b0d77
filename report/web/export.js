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
const flat = (svg) => {
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
  for (const each of copy.querySelectorAll("*"))
    for (const name of ["id", "class", "role", "tabindex", "href", "data-by", "style"]) each.removeAttribute(name);
  return [...copy.childNodes];
};
const drawn = (name, attributes, children = []) => {
  const made = document.createElementNS(svgs[0].namespaceURI, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const exported = () => {
  const { height } = boxes[0], paper = getComputedStyle(panes[0]).backgroundColor;
  const sheet = drawn("rect", { width: "100%", height: "100%", fill: paper });
  const graphs = svgs.map((svg, i) => drawn("g", { transform: `translate(${starts[i]} 0)` }, flat(svg)));
  const family = getComputedStyle(document.body).fontFamily;
  const size = { viewBox: `0 0 ${total} ${height}`, width: total, height, "font-family": family };
  return new XMLSerializer().serializeToString(drawn("svg", size, [sheet, ...graphs]));
};
$("export").addEventListener("click", () => {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([exported()], { type: "image/svg+xml" }));
  link.download = `${document.title.split(" · ")[0]}.svg`;
  link.click();
  URL.revokeObjectURL(link.href);
});
