// Without these scripts the page is complete; they add zoom, folding, search, sorting and a panel of
// details. They are one module in the page, in the order that page.py says.
const $ = (id) => document.getElementById(id);
const root = document.documentElement;
const make = (tag, text = "", className = "") => {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
};
for (const tools of document.querySelectorAll(".tools")) tools.hidden = false;

const theme = $("theme");
const dark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
const themed = () => {
  theme.textContent = isDark() ? "Light theme" : "Dark theme";
  document.dispatchEvent(new Event("themed"));
};
theme.hidden = false;
themed();
dark.addEventListener("change", themed);
theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; themed(); });
