// A small picture of the whole graph beside it, with a frame around what is in view.
const map = $("map"), frame = $("frame"), picture = map.querySelector("canvas");
const places = [...svg.querySelectorAll(".n, .unfold")].map((node) => {
  const { e, f } = node.transform.baseVal.consolidate().matrix, rect = node.querySelector(".box");
  return [node, e, f, rect.width.baseVal.value, rect.height.baseVal.value];
});
const mapScale = () => [
  map.clientWidth / box.width, Math.min(map.clientHeight / box.height, map.clientWidth / box.width),
];
const drawFrame = () => {
  const [x, y] = mapScale();
  frame.style.left = `${(view.scrollLeft / scale) * x}px`;
  frame.style.top = `${(view.scrollTop / scale) * y}px`;
  frame.style.width = `${Math.min(view.clientWidth / scale, box.width) * x}px`;
  frame.style.height = `${Math.min(view.clientHeight / scale, box.height) * y}px`;
};
const drawMap = () => {
  map.hidden = svg.clientHeight <= view.clientHeight && svg.clientWidth <= view.clientWidth;
  if (map.hidden || !map.clientWidth) return;
  const [x, y] = mapScale(), colours = new Map();
  picture.width = map.clientWidth * devicePixelRatio;
  picture.height = map.clientHeight * devicePixelRatio;
  const pen = picture.getContext("2d");
  pen.scale(devicePixelRatio, devicePixelRatio);
  for (const [node, left, top, width, height] of places) {
    const part = node.closest(".part"), again = node.matches(".unfold");
    if (part.classList.contains("folded") !== again) continue;
    const family = node.classList[1], colour = again ? ".under" : ".side";
    if (!colours.has(family)) colours.set(family, getComputedStyle(node.querySelector(colour)).fill);
    const marked = node.matches(".on, .hit"), up = part.transform.baseVal[0].matrix.f;
    pen.fillStyle = marked ? getComputedStyle(node.querySelector(".box")).stroke : colours.get(family);
    pen.fillRect(left * x, (top + up) * y, width * x, Math.max(height * y, marked ? 3 : 1));
  }
  drawFrame();
};
view.addEventListener("scroll", drawFrame);
for (const [what, when] of [[view, "zoomed"], [document, "themed"], [document, "marked"], [window, "resize"]])
  what.addEventListener(when, drawMap);
const point = (event) => {
  const edge = map.getBoundingClientRect(), [x, y] = mapScale();
  view.scrollLeft = ((event.clientX - edge.left) / x) * scale - view.clientWidth / 2;
  view.scrollTop = ((event.clientY - edge.top) / y) * scale - view.clientHeight / 2;
};
map.addEventListener("pointerdown", (event) => { map.setPointerCapture(event.pointerId); point(event); });
map.addEventListener("pointermove", (event) => { if (event.buttons) point(event); });
drawMap();
