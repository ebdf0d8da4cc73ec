package dev.lightpath.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.google.gson.JsonObject;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A page that remembers everything that should not happen: errors, refusals of its policy, requests to elsewhere. */
final class Watched {
    private static final double PATIENCE_MILLIS = 120_000;
    private static final int MOST_STOPS = 120;

    private final Page page;
    private final List<String> wrong = new CopyOnWriteArrayList<>();

    Watched(Browser browser, String address, int width, int height, ColorScheme scheme) {
        page = browser.newPage(
                new Browser.NewPageOptions().setViewportSize(width, height).setColorScheme(scheme));
        page.setDefaultTimeout(PATIENCE_MILLIS);
        String home = URI.create(address).getAuthority();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                wrong.add(message.type() + ": " + message.text());
            }
        });
        page.onPageError(error -> wrong.add("uncaught: " + error));
        page.onDialog(dialog -> {
            wrong.add("a dialog of a script: " + dialog.message());
            dialog.dismiss();
        });
        page.onRequest(request -> {
            if (!home.equals(URI.create(request.url()).getAuthority())) {
                wrong.add("a request to elsewhere: " + request.url());
            }
        });
        page.navigate(address);
        page.waitForSelector("main h1");
    }

    Page page() {
        return page;
    }

    /** Goes to a view and waits until it shows its document. */
    Watched go(String view) {
        page.evaluate("""
                view => new Promise((gone) => {
                  const before = location.hash;
                  addEventListener("hashchange", () => setTimeout(gone), { once: true });
                  location.hash = view;
                  if (location.hash === before) {
                    gone();
                  }
                })""", view);
        page.waitForFunction(
                "() => !document.querySelector('[aria-busy]')" + " && document.querySelector('main h1, main .alarm')");
        return this;
    }

    /** Waits until the page shows a text; it follows by itself. */
    Watched shows(String text) {
        page.waitForFunction("text => document.querySelector('main').textContent.includes(text)", text);
        return this;
    }

    Watched hides(String text) {
        page.waitForFunction("text => !document.querySelector('main').textContent.includes(text)", text);
        return this;
    }

    String text() {
        return page.textContent("main");
    }

    /** That nothing is wider than the window: what is long breaks or scrolls in a box of its own. */
    Watched fits() {
        assertThat(
                        (Boolean)
                                page.evaluate(
                                        "() => document.documentElement.scrollWidth <= innerWidth"
                                                + " && document.querySelector('main').scrollWidth <= document.querySelector('main').clientWidth"))
                .as("%s is no wider than its window", page.url())
                .isTrue();
        return this;
    }

    /** Waits until the browser told of such an error, which a test provoked. */
    Watched toldOf(String error) {
        page.waitForCondition(() -> wrong.stream().anyMatch(each -> each.contains(error)));
        wrong.removeIf(each -> each.contains(error));
        return this;
    }

    /** That nothing went wrong so far, and that the view is accessible as axe-core judges. */
    Watched isWell() {
        assertThat(wrong).isEmpty();
        assertThat(new AxeBuilder(page).analyze().getViolations())
                .as(page.url())
                .extracting(each -> each.getId() + ": "
                        + each.getNodes().stream()
                                .map(node -> node.getTarget() + " " + node.getFailureSummary())
                                .toList())
                .isEmpty();
        return this;
    }

    /** Presses Tab until such a thing has the focus, which every stop on the way has to show. */
    Watched tabTo(String label) {
        for (int stop = 0; stop < MOST_STOPS; stop++) {
            page.keyboard().press("Tab");
            String focused = focused();
            assertThat((Boolean) page.evaluate("() => { const style = getComputedStyle(document.activeElement);"
                            + " return document.activeElement === document.body || style.outlineStyle !== 'none'; }"))
                    .as("'%s' shows that it has the focus", focused)
                    .isTrue();
            if (focused.startsWith(label)) {
                return this;
            }
        }
        throw new AssertionError("no '" + label + "' is reached by " + MOST_STOPS + " times Tab on " + page.url());
    }

    /** The label or the text of what has the focus. */
    String focused() {
        return (String)
                page.evaluate("() => (document.activeElement.ariaLabel || document.activeElement.textContent).trim()");
    }

    Watched press(String key) {
        page.keyboard().press(key);
        return this;
    }

    /** Shows the page from now on as to a person without any colour vision, or as it is. */
    void seesNoColour(boolean none) {
        JsonObject parameters = new JsonObject();
        parameters.addProperty("type", none ? "achromatopsia" : "none");
        var unused = page.context().newCDPSession(page).send("Emulation.setEmulatedVisionDeficiency", parameters);
    }

    /** Waits until canvases are drawn. */
    void picture(Path file) {
        page.waitForTimeout(400);
        byte[] unused = page.screenshot(new Page.ScreenshotOptions().setPath(file));
    }
}
