"""The table of layers: sorting and searching."""

from .conftest import ENTER, SHIFT, Browser, MakePage


def column(browser: Browser, name: str) -> list[str]:
    script = """const [head, ...rows] = document.getElementById("layers").rows;
    const i = [...head.cells].findIndex((cell) => cell.textContent === arguments[0]);
    return rows.map((row) => row.cells[i].dataset.v ?? row.cells[i].textContent);"""
    return browser.run(script, name)


def sort(browser: Browser, name: str) -> None:
    script = """[...document.querySelectorAll("#layers thead button")]
    .find((button) => button.textContent === arguments[0]).click()"""
    browser.run(script, name)


def test_sorting(browser: Browser, make_page: MakePage, small: str, smaller: str) -> None:
    for models in ([small], [small, smaller]):
        browser.open(make_page(*models))
        for name in ("weights", "memory"):
            sort(browser, name)
            figures = [int(value) for value in column(browser, name)]
            assert figures == sorted(figures, reverse=True)
            assert len(set(figures)) > 3
        sort(browser, "memory")
        assert [int(v) for v in column(browser, "memory")] == sorted(figures)
        assert browser.find("#layers [aria-sort]").get_attribute("aria-sort") == "ascending"
        sort(browser, "name")
        assert column(browser, "name") == sorted(column(browser, "name"))


def test_searching(browser: Browser, make_page: MakePage, small: str, smaller: str) -> None:
    for models in ([small], [small, smaller]):
        browser.open(make_page(*models))
        browser.find("#search").send_keys("Convolution 4x8x8")
        assert browser.texts("#layers tbody th") == ["conv"]
        assert browser.find("#shown").text == f"1 of {len(browser.all('#layers tbody tr'))} layers"
        browser.find("#search").clear()
        browser.find("#search").send_keys("nothing of the kind")
        assert browser.texts("#layers tbody th") == []
        assert browser.find("#hit").text == "nothing found"


def test_search_goes_from_hit_to_hit(browser: Browser, make_page: MakePage, repeated: str) -> None:
    browser.open(make_page(repeated))
    browser.type("/", "relu")  # the key leads to the field
    assert browser.find("#hit").text == "1 of 40"
    assert browser.selected is None
    seen: list[str | None] = []
    for _ in range(3):
        browser.type(ENTER)
        seen.append(browser.selected)
        box, view = browser.box(".n.on"), browser.box("#view")
        assert view["top"] <= box["top"] < box["bottom"] <= view["bottom"]
        row, scroller = browser.box("#layers tr.on"), browser.box("div:has(> #layers)")
        assert scroller["top"] <= row["top"] < row["bottom"] <= scroller["bottom"]
    assert seen == ["relu1", "relu2", "relu3"]
    browser.find("#search").send_keys(SHIFT + ENTER)
    assert browser.selected == "relu2"
    assert browser.run("return document.activeElement.id") == "search"
    assert browser.find("#hit").text == "3 of 40"
    assert browser.part == browser.run("return '#' + document.querySelector('.n.on').id")
    for _ in range(3):
        browser.find("#search").send_keys(SHIFT + ENTER)
    assert browser.find("#hit").text == "40 of 40"
    row, scroller = browser.box("#layers tr.on"), browser.box("div:has(> #layers)")
    assert scroller["top"] <= row["top"] < row["bottom"] <= scroller["bottom"]


def test_readers_of_a_blob_come_last(browser: Browser, make_page: MakePage, small: str) -> None:
    browser.open(make_page(small))
    browser.find("#search").send_keys("conv")
    assert browser.find("#hit").text == "1 of 2"
    browser.type(ENTER)
    assert browser.selected == "bn"  # it reads the blob


def test_search_goes_round(browser: Browser, make_page: MakePage, small: str) -> None:
    browser.open(make_page(small))
    browser.find("#search").send_keys("pool")
    first = browser.find("#hit").text
    for _ in range(int(first.split()[-1])):
        browser.type(ENTER)
    assert browser.find("#hit").text == first
