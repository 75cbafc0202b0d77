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
    assert browser.run("return document.querySelector('.pane').scrollTop") == 80
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
    top = browser.box(".frame")["top"]
    from selenium.webdriver import ActionChains

    chain = ActionChains(browser.driver)
    chain.move_to_element_with_offset(browser.find("#map"), 0, 200).click().perform()
    scrolled = browser.run(
        "const v = document.querySelector('.pane'); return v.scrollTop / v.scrollHeight"
    )
    assert 0.6 < scrolled < 0.9
    browser.wait(f"document.querySelector('.frame').getBoundingClientRect().top > {top + 100}")


def map_of(browser: Browser) -> str:
    """What is painted on the map."""
    return browser.run("return document.querySelector('#map canvas').toDataURL()")


def test_the_map_is_painted_again(browser: Browser, make_page: MakePage, repeated: str) -> None:
    browser.open(make_page(repeated))
    browser.click("#fold")
    seen = [map_of(browser)]
    browser.click("#theme")
    seen.append(map_of(browser))
    browser.find("#search").send_keys("relu")
    seen.append(map_of(browser))
    browser.click("[data-zoom=in]")
    browser.find("#search").send_keys("39")
    seen.append(map_of(browser))
    browser.click("#fold")
    browser.click("[data-zoom=in]")
    browser.click("[data-zoom=in]")
    seen.append(map_of(browser))
    assert len(set(seen)) == len(seen)


def saved(browser: Browser, downloads: Path, name: str) -> str:
    """The picture that is saved."""
    browser.click("#export")
    path = downloads / f"{name}.svg"
    for _ in range(100):
        if path.exists():
            break
        browser.run("return new Promise((done) => setTimeout(done, 50))")
    text = path.read_text()
    path.unlink()
    # It needs nothing that only browsers know, and nothing of the page.
    assert not [word for word in ("var(", "color(", "color-mix", "class=", "href=") if word in text]
    return text


def test_saving_the_graph(
    browser: Browser, make_page: MakePage, repeated: str, downloads: Path
) -> None:
    browser.open(make_page(repeated))
    picture = ElementTree.fromstring(saved(browser, downloads, "before.param"))
    words = {node.text for node in picture.iter(f"{SVG}text")}
    assert {"Convolution", "up0", "last", "as above, 39 more times"} <= words
    assert "relu17" not in words
    boxes = picture.findall(f".//{SVG}rect")
    assert all(box.get("fill", "").startswith("rgb") for box in boxes)
    height = browser.run("return document.getElementById('graph').viewBox.baseVal.height")
    assert float(picture.get("height", "0")) == height


def test_saving_two_graphs(
    browser: Browser, make_page: MakePage, small: str, smaller: str, downloads: Path
) -> None:
    browser.open(make_page(small, smaller))
    picture = ElementTree.fromstring(saved(browser, downloads, "before.param → after.param"))
    words = [node.text for node in picture.iter(f"{SVG}text")]
    assert words.count("conv") == 2
    # What has changed has a colour of its own.
    boxes = [box for box in picture.iter(f"{SVG}rect") if box.get("stroke", "none") != "none"]
    assert len({box.get("fill") for box in boxes}) > 2
