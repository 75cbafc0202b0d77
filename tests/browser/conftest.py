"""Pages of `ncnn-report` in a headless Chromium."""

import shutil
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.tools.ncnn_report_main import main
from report_models import AFTER, BEFORE

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = """--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync"""

SHOWN = "[...document.querySelectorAll(arguments[0])].filter((e) => e.getClientRects().length)"
"""The elements of a selector that are drawn."""

ENTER, ESCAPE, UP, DOWN, SHIFT = "\ue007", "\ue00c", "\ue013", "\ue015", "\ue008"
"""Keys as WebDriver writes them."""


class Browser:
    """A page in a browser, and what somebody does with it."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, page: Path, part: str = "", width: int = 1400, height: int = 900) -> None:
        """Opens a page in a window of this size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.get("about:blank")  # else another part of a page is no page of its own
        self.driver.get(page.as_uri() + part)
        self.wait("document.readyState === 'complete'")
        self.run("return new Promise((done) => setTimeout(done, 50))")  # what follows loading

    def set_theme(self, scheme: str) -> None:
        """Makes the system's colours `light` or `dark` (`prefers-color-scheme`)."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def run(self, script: str, *arguments: object) -> Any:
        """What a script returns."""
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str) -> None:
        """Waits for something to become true."""
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, 10).until(lambda _: self.run(f"return {condition}"), condition)

    def find(self, selector: str) -> Any:
        """The first element of these."""
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        """All elements of these."""
        return self.driver.find_elements("css selector", selector)

    def texts(self, selector: str) -> list[str]:
        """The texts of those that are shown."""
        return self.run(f"return {SHOWN}.map((e) => e.textContent)", selector)

    def count(self, selector: str) -> int:
        """How many of these are shown."""
        return self.run(f"return {SHOWN}.length", selector)

    def click(self, selector: str) -> None:
        """Clicks on the middle of the first of these."""
        self.find(selector).click()

    def type(self, *keys: str) -> None:
        """Presses keys, wherever the focus is."""
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def boxes(self, selector: str) -> list[dict[str, float]]:
        """Where all elements of these are in the window."""
        script = (
            "return [...document.querySelectorAll(arguments[0])]"
            ".map((each) => each.getBoundingClientRect().toJSON())"
        )
        return self.run(script, selector)

    def box(self, selector: str) -> dict[str, float]:
        """Where an element is in the window."""
        script = "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()"
        return self.run(script, selector)

    @property
    def part(self) -> str:
        """What the address ends with."""
        return self.run("return location.hash")

    @property
    def selected(self) -> str | None:
        """The layer whose details are shown."""
        return next(iter(self.texts("#detail h3")), None)

    def complaints(self) -> list[str]:
        """What the page has said to the console."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="session")
def downloads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where files go that are saved."""
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="session")
def chromium(downloads: Path) -> Generator[Browser]:
    webdriver: Any = pytest.importorskip("selenium.webdriver")
    service: Any = pytest.importorskip("selenium.webdriver.chrome.service")
    program = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    if (driver := shutil.which("chromedriver")) is None:
        pytest.skip("chromedriver is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for option in OPTIONS.split():
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options, service.Service(driver))
    where = {"behavior": "allow", "downloadPath": str(downloads)}
    started.execute_cdp_cmd("Browser.setDownloadBehavior", where)
    yield Browser(started)
    started.quit()


@pytest.fixture
def browser(chromium: Browser) -> Generator[Browser]:
    """A browser to which no page complains."""
    chromium.complaints()
    yield chromium
    chromium.set_theme("")
    assert chromium.complaints() == []


MakePage = Callable[..., Path]


@pytest.fixture
def make_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakePage:
    """Writes models and a page about them."""
    monkeypatch.chdir(tmp_path)

    def make(*models: str, weights: str = "none", more: Sequence[str] = ()) -> Path:
        names = [f"{name}.param" for name, _ in zip(("before", "after"), models, strict=False)]
        for name, model in zip(names, models, strict=True):
            Path(name).write_text(model)
        page = f"it{len(list(tmp_path.glob('*.html')))}.html"
        main([*names, "--html", page, "--weights", weights, *more])
        return tmp_path / page

    return make


@pytest.fixture
def small() -> str:
    return BEFORE


@pytest.fixture
def smaller() -> str:
    """What became of it."""
    return AFTER


def residual(blocks: int) -> str:
    """A model with as many blocks that are alike."""
    lines = ["Input data 0 1 x0 0=8 1=8 2=4", "Convolution first 1 1 x0 b0 0=4 1=1 6=16"]
    for i in range(blocks):
        lines += [
            f"Split split{i} 1 2 b{i} s{i} t{i}",
            f"Convolution up{i} 1 1 s{i} u{i} 0=8 1=1 6=32",
            f"ReLU relu{i} 1 1 u{i} r{i}",
            f"Convolution down{i} 1 1 r{i} d{i} 0=4 1=1 6=32",
            f"BinaryOp sum{i} 2 1 d{i} t{i} b{i + 1} 0=0",
        ]
    lines += [f"Sigmoid last 1 1 b{blocks} y"]
    blobs = sum(int(line.split()[3]) for line in lines)
    return "\n".join(["7767517", f"{len(lines)} {blobs}", *lines]) + "\n"


@pytest.fixture
def repeated() -> str:
    """A model of 40 blocks with four nodes each."""
    return residual(40)


@pytest.fixture
def repeated_twice() -> str:
    return residual(2)
