package dev.lightpath.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The distribution's Chromium, driven by Playwright, which downloads no browser here. */
record Chromium(Playwright playwright, Browser browser) implements AutoCloseable {
    /** @throws IllegalStateException where there is no Chromium */
    static Chromium open() {
        Path program = Path.of(System.getenv().getOrDefault("LIGHTPATH_CHROMIUM", "/usr/bin/chromium"));
        if (!Files.isExecutable(program)) {
            throw new IllegalStateException("there is no Chromium at " + program
                    + ": install Debian's package chromium, or set LIGHTPATH_CHROMIUM to another");
        }
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        Browser browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setArgs(List.of(
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-quic",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync",
                                "--enable-precise-memory-info")));
        return new Chromium(playwright, browser);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}
