"""A check of the links of a built site: each leads to an existing file and an existing place in it,
and the site loads nothing from elsewhere. `python check_links.py site`"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {key: value or "" for key, value in attrs}
        self.ids |= {found[key] for key in ("id", "name") if key in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif "src" in found or (tag == "link" and found.get("rel") in ("stylesheet", "icon")):
            self.loaded.append(found.get("src") or found.get("href", ""))


def problems(site: Path) -> list[str]:
    """Return a line for each broken link."""
    paths = sorted(site.rglob("*.html"))
    pages = {path.resolve(): _Page(path.read_text("utf-8")) for path in paths}
    found: list[str] = []
    for path, page in pages.items():
        where = path.relative_to(site.resolve())
        if where.name == "404.html":
            continue  # its links start at the root of a server
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    found.append(f"{where}: {link} is loaded from elsewhere")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                found.append(f"{where}: there is no {link}")
            elif parts.fragment and target in pages:
                if unquote(parts.fragment) not in pages[target].ids | {"__skip"}:
                    found.append(f"{where}: {link} names no place there")
    return found


if __name__ == "__main__":
    told = problems(Path(sys.argv[1]))
    print("\n".join(told) or "all links lead somewhere")
    sys.exit(bool(told))
