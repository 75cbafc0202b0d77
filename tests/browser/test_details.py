"""One layer is selected: its details, its weights, and the address that names it."""

from .conftest import Browser, MakePage


def test_details(browser: Browser, make_page: MakePage, small: str, smaller: str) -> None:
    browser.open(make_page(small, smaller))
    browser.click("#b1")
    assert browser.selected == "conv"
    assert browser.run("return [...document.querySelectorAll('.n.on')].map((n) => n.id)") == [
        "b1",
        "a1",
    ]
    terms = dict(zip(browser.texts("#detail dt"), browser.texts("#detail dd"), strict=True))
    assert terms["what became of it"].startswith("changed: took over bn, relu")
    browser.click("#detail button")
    assert browser.selected is None
    browser.click("#layers tbody tr:last-child a")
    assert browser.selected == "fc"


def test_the_address_keeps_the_layer(browser: Browser, make_page: MakePage, repeated: str) -> None:
    page = make_page(repeated)
    browser.open(page)
    assert browser.part == ""
    browser.click("#n3")
    selected, part = browser.selected, browser.part
    assert (selected, part) == ("up0", "#n3")
    browser.open(page, part)
    assert browser.selected == selected
    # One that is folded, too.
    browser.open(page, "#n190")
    assert browser.selected == browser.run("return document.querySelector('#r190 th').textContent")
    box, view = browser.box("#n190"), browser.box("#view")
    assert view["top"] < box["top"] < view["bottom"]
    browser.run("location.hash = '#n4'")
    browser.wait("document.querySelector('#detail h3').textContent === 'relu0'")
    browser.click("#detail button")
    assert browser.part == ""


def test_values_of_weights(browser: Browser, make_page: MakePage, small: str, smaller: str) -> None:
    browser.open(make_page(small, weights="random"))
    browser.click("#n1")
    assert browser.texts("#detail .weight b") == ["weight"]
    assert browser.texts("#detail .weight figcaption span") == ["4x3x3x3 float32"]
    assert browser.count("#detail .weight rect") > 30  # some of 40 may be empty
    tall = "return Math.max(...[...document.querySelectorAll('.weight rect')].map((r) => r.height"
    assert browser.run(tall + ".baseVal.value))") == 1
    first = browser.texts("#detail .weight code")[0].split()
    assert (len(first), first[-1]) == (17, "…")
    low, high = map(float, browser.texts("#detail .ends span"))
    assert all(low - 1e-3 <= float(value) <= high + 1e-3 for value in first[:-1])
    browser.click("#n0")
    assert not browser.texts("#detail .weight")

    browser.open(make_page(small, smaller, weights="random"))
    browser.click("#b1")
    assert browser.texts("#detail .weight b") == ["weight, before", "weight, after", "bias, after"]


def test_weights_that_are_not_there(browser: Browser, make_page: MakePage, small: str) -> None:
    browser.open(make_page(small))
    browser.click("#n1")
    assert browser.texts("#detail .weight p") == ["no values were read"]
