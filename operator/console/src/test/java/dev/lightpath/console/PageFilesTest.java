package dev.lightpath.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PageFilesTest {
    private static final Pattern IMPORT = Pattern.compile("(?:from|import)\\s*\"(\\.[^\"]+)\"");

    private static String text(String name) {
        return new String(
                PageFiles.named(name)
                        .orElseThrow(() -> new AssertionError(name + " is missing"))
                        .bytes(),
                StandardCharsets.UTF_8);
    }

    @Test
    void hasEveryFileThatThePageImports() {
        Deque<String> next = new ArrayDeque<>(Set.of("main.js"));
        Set<String> seen = new HashSet<>();
        while (!next.isEmpty()) {
            String name = next.pop();
            if (seen.add(name)) {
                Matcher imports = IMPORT.matcher(text(name));
                while (imports.find()) {
                    next.add(java.net
                            .URI
                            .create("/" + name)
                            .resolve(imports.group(1))
                            .getPath()
                            .substring(1));
                }
            }
        }
        assertThat(seen).contains("vendor/lit-html/lit-html.js", "ring/canvas.js", "job.js");
        seen.remove("main.js");
        assertThat(seen)
                .as("a browser asks for all files at once")
                .allSatisfy(
                        name -> assertThat(text("index.html")).contains("rel=\"modulepreload\" href=\"" + name + '"'));
    }

    /** The policy of the page would refuse them in the browser, in silence. */
    @Test
    void hasNoScriptOrStyleInItsMarkup() {
        assertThat(text("index.html"))
                .doesNotContainPattern("<script(?![^>]*\\bsrc=)")
                .doesNotContain("style=");
        for (String name : Set.of("main.js", "overview.js", "job.js", "timeline.js", "ring/view.js", "spine/view.js")) {
            assertThat(text(name)).as(name).doesNotContain("style=\"", "innerHTML", "unsafe-html", "eval(");
        }
    }

    @Test
    void servesNothingElse() {
        for (String name : Set.of(
                "../Views.class",
                "..%2fViews.class",
                "/etc/passwd",
                "a/../main.js",
                "main.js/",
                "nothing.js",
                "page",
                ".")) {
            assertThat(PageFiles.named(name)).as(name).isEmpty();
        }
        assertThat(PageFiles.named("").orElseThrow().type()).isEqualTo("text/html; charset=utf-8");
    }
}
