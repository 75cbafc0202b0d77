"""The graph: zoom, keys, folding, the map, saving it."""

from pathlib import Path
from xml.etree import ElementTree

from .conftest import DOWN, ENTER, ESCAPE, UP, Browser, MakePage

SVG = "{http://www.w3.org/2000/svg}"


def width(browser: Browser) -> float:
    return browser.box("#graph")["width"]


def test_zoom(browser: Browser, make_page: MakePage, small: str) -> None:
    browser.open(make_page(small))
    before = width(browser)
    browser.click("[data-zoom=in]")
    assert width(browser) > before
    browser.click("[data-zoom=all]")
    assert browser.box("#graph")["height"] <= browser.box("#view")["height"]
    browser.click("#graph .n")
    browser.type("+")
    assert width(browser) > before / 2


def test_keys_go_from_node_to_node(browser: Browser, make_page: MakePage, small: str) -> None:
    browser.open(make_page(small))
    browser.click("#n0")
    assert browser.selected == "data"
    browser.type(DOWN)
    assert browser.selected == "conv"
    browser.type(UP)
    assert browser.selected == "data"
    browser.type(ESCAPE)
    assert browser.selected is None


def test_dragging_is_no_click(browser: Browser, make_page: MakePage, repeated: str) -> None:
    from selenium.webdriver import ActionChains

    browser.open(make_page(repeated))
    browser.click("#fold")
    chain = ActionChains(browser.driver).click_and_hold(browser.find("#n3"))
    chain.move_by_offset(0, -80).release().perform()
    assert browser.run("return document.getElementById('view').scrollTop") == 80
    assert browser.selected is None


def test_blocks_that_come_again_are_folded(
    browser: Browser, make_page: MakePage, repeated: str
) -> None:
    browser.open(make_page(repeated))
    assert browser.count(".n") == 2 + 4 + 1
    assert browser.texts(".again .t") == ["as above, 39 more times"]
    assert "156 layers" in browser.texts(".again .m")[-1]
    # What is below has moved up to it, and lines still meet nodes.
    again, last = browser.box(".unfold"), browser.box("#n202")
    step = browser.box("#n1")["top"] - browser.box("#n0")["top"]
    assert abs(last["top"] - browser.box(".unfold .box:last-of-type")["top"] - step) < 1
    assert again["bottom"] < last["top"]
    folded = browser.box("#graph")["height"]
    assert folded / width(browser) < 4

    browser.click(".unfold")
    assert browser.count(".n") == 2 + 40 * 4 + 1
    assert not browser.texts(".again .t")
    assert browser.box("#graph")["height"] > 10 * folded
    browser.click("#fold")
    assert browser.box("#graph")["height"] == folded


def test_a_few_blocks_are_not_folded_at_first(
    browser: Browser, make_page: MakePage, repeated_twice: str
) -> None:
    browser.open(make_page(repeated_twice))
    assert not browser.texts(".again .t")
    browser.click("#fold")
    assert browser.texts(".again .t") == ["as above, once more"]
    browser.find(".unfold").send_keys(ENTER)
    assert not browser.texts(".again .t")


def test_nothing_comes_again(browser: Browser, make_page: MakePage, small: str) -> None:
    browser.open(make_page(small))
    assert not browser.find("#fold").is_displayed()


def test_what_is_folded_opens_for_a_search(
    browser: Browser, make_page: MakePage, repeated: str
) -> None:
    browser.open(make_page(repeated))
    browser.find("#search").send_keys("relu17")
    assert not browser.texts(".again .t")
    box, view = browser.box(".n.hit"), browser.box("#view")
    assert view["top"] < box["top"] < view["bottom"]


def test_both_graphs_of_a_comparison_fold(
    browser: Browser, make_page: MakePage, repeated: str
) -> None:
    browser.open(make_page(repeated, repeated))
    assert browser.texts(".again .t") == ["as above, 39 more times"] * 2


def test_the_map_leads_there(browser: Browser, make_page: MakePage, repeated: str) -> None:
    browser.open(make_page(repeated))
    assert not browser.find("#map").is_displayed()  # all is in view
    browser.click("#fold")
    top = browser.box("#frame")["top"]
    from selenium.webdriver import ActionChains

    chain = ActionChains(browser.driver)
    chain.move_to_element_with_offset(browser.find("#map"), 0, 200).click().perform()
    scrolled = browser.run(
        "const v = document.getElementById('view'); return v.scrollTop / v.scrollHeight"
    )
    assert 0.6 < scrolled < 0.9
    browser.wait(f"document.getElementById('frame').getBoundingClientRect().top > {top + 100}")
    colours = """const { width, height } = document.querySelector("#map canvas");
    const pen = document.querySelector("#map canvas").getContext("2d");
    const { data } = pen.getImageData(0, 0, width, height);
    return new Set(new Uint32Array(data.buffer)).size"""
    assert browser.run(colours) > 3  # families of layers, and paper


def test_saving_the_graph(
    browser: Browser, make_page: MakePage, repeated: str, downloads: Path
) -> None:
    browser.open(make_page(repeated))
    browser.click("#export")
    saved = downloads / "before.param.svg"
    for _ in range(100):
        if saved.exists():
            break
        browser.run("return new Promise((done) => setTimeout(done, 50))")
    text = saved.read_text()
    picture = ElementTree.fromstring(text)
    words = {node.text for node in picture.iter(f"{SVG}text")}
    assert {"Convolution", "up0", "last", "as above, 39 more times"} <= words
    assert "relu17" not in words
    # It needs nothing that only browsers know, and nothing of the page.
    assert not [word for word in ("var(", "color(", "color-mix", "class=", "href=") if word in text]
    boxes = picture.findall(f".//{SVG}rect")
    assert all(box.get("fill", "").startswith("rgb") for box in boxes)
    assert float(picture.get("height", "0")) == browser.run(
        "return document.getElementById('graph').viewBox.baseVal.height"
    )
