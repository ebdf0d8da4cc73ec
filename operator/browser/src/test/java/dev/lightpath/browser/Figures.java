package dev.lightpath.browser;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Prints what docs/performance.md says of the operator's console. It judges nothing. {@code deploy/local/browser-test
 * --figures} runs it against an environment of many nodes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class Figures {
    private static final int VIEWS = 7;
    private static final int EVENTS = 20;
    private static final int VIEWERS = 10;
    private static final Duration WATCHED = Duration.ofSeconds(30);
    private static final Duration BETWEEN_FAULTS = Duration.ofSeconds(5);

    private final Environment environment = Environment.fromVariables();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Chromium chromium;
    private String token;
    private Process proxy;
    private String api;

    @BeforeAll
    void open() throws IOException {
        chromium = Chromium.open();
        environment.run("create", "serviceaccount", "figures", "-n", "default");
        environment.run(
                "create",
                "clusterrolebinding",
                "console-figures",
                "--clusterrole=lightpath-view",
                "--serviceaccount=default:figures");
        token = environment.run("create", "token", "figures", "-n", "default").strip();
        proxy = new ProcessBuilder(environment.kubectl(), "proxy", "--port=0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line =
                new BufferedReader(new InputStreamReader(proxy.getInputStream(), StandardCharsets.UTF_8)).readLine();
        api = "http://" + line.substring(line.lastIndexOf(' ') + 1);
    }

    @AfterAll
    void close() {
        environment.run("delete", "clusterrolebinding", "console-figures");
        environment.run("delete", "serviceaccount", "figures", "-n", "default");
        proxy.destroy();
        http.shutdownNow();
        chromium.close();
    }

    private Page page() {
        Page page = chromium.browser()
                .newPage(new com.microsoft.playwright.Browser.NewPageOptions()
                        .setViewportSize(1280, 800)
                        .setColorScheme(ColorScheme.DARK));
        page.setDefaultTimeout(120_000);
        page.addInitScript("sessionStorage.setItem('lightpath-token', '" + token + "')");
        return page;
    }

    private static void print(String what, Object... values) {
        System.out.println("FIGURE " + String.format(Locale.ROOT, what, values));
    }

    private static String spread(List<Double> millis) {
        List<Double> sorted = new ArrayList<>(millis);
        Collections.sort(sorted);
        return String.format(
                Locale.ROOT,
                "%.0f / %.0f / %.0f ms (p50 / p90 / maximum of %d)",
                sorted.get(sorted.size() / 2),
                sorted.get(sorted.size() * 9 / 10),
                sorted.getLast(),
                sorted.size());
    }

    @Test
    @Order(1)
    void showsTheFirstView() {
        List<Double> views = new ArrayList<>();
        for (int view = 0; view < VIEWS; view++) {
            Page page = page();
            page.navigate(environment.operator() + "/console/#/ring/ring-a");
            page.waitForFunction("() => document.querySelector('canvas')?.dataset.paintMillis");
            views.add(((Number) page.evaluate("() => window.performance.now()")).doubleValue());
            if (view == VIEWS - 1) {
                Object sizes = page.evaluate(
                        "() => performance.getEntriesByType('resource')"
                                + ".filter(each => each.name.includes('/api/ring/')).map(each => each.decodedBodySize + ' / ' + each.encodedBodySize)[0]");
                print("document of the ring, plain / gzip: %s bytes", sizes);
                print("JavaScript heap: %s MiB", heap(page));
                print("the page's process, proportional memory: %d MiB", rendererMebibytes());
            }
            page.close();
        }
        print("from the address to the first picture, an empty cache: %s", spread(views));
    }

    private static Object heap(Page page) {
        return page.evaluate("() => Math.round(performance.memory.usedJSHeapSize / 1048576)");
    }

    /** Of the largest process that renders a page. */
    private static long rendererMebibytes() {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                            .filter(each -> each.getFileName().toString().matches("\\d+"))
                            .mapToLong(Figures::rendererKibibytes)
                            .max()
                            .orElse(0)
                    / 1024;
        } catch (IOException e) {
            throw new IllegalStateException("/proc", e);
        }
    }

    private static long rendererKibibytes(Path process) {
        try {
            String command = Files.readString(process.resolve("cmdline"));
            if (!command.contains("--type=renderer")) {
                return 0;
            }
            return Files.readAllLines(process.resolve("smaps_rollup")).stream()
                    .filter(line -> line.startsWith("Pss:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException gone) {
            return 0;
        }
    }

    @Test
    @Order(2)
    void tellsOfAnEvent() throws InterruptedException {
        Page page = page();
        page.navigate(environment.operator() + "/console/#/ring/ring-a");
        page.waitForFunction(
                "() => document.querySelector('.connection.live') && document.querySelector('canvas')?.dataset.paintMillis");
        List<Double> shown = new ArrayList<>();
        for (int event = 0; event < EVENTS; event++) {
            String word = "figure-" + event;
            page.evaluate("""
                    word => {
                      window.shownAt = 0;
                      new MutationObserver((changes, observer) => {
                        if (document.querySelector("main").textContent.includes(word)) {
                          window.shownAt = Date.now();
                          observer.disconnect();
                        }
                      }).observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
                    }""", word);
            String node = "n" + (7 * event + 3);
            long sent = System.currentTimeMillis();
            mark(node, '"' + word + '"');
            page.waitForFunction("() => window.shownAt");
            shown.add(((Number) page.evaluate("() => window.shownAt")).doubleValue() - sent);
            mark(node, "null");
            // it clears later, when the hold time of its fabric is over
            Thread.sleep(1_000);
        }
        print("from the request that marks a node faulty to the page: %s", spread(shown));
        print("JavaScript heap after %d events: %s MiB", 2 * EVENTS, heap(page));
        print("the page's process, proportional memory: %d MiB", rendererMebibytes());
        page.close();
    }

    private void mark(String node, String reason) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(api + "/api/v1/nodes/" + node))
                .header("Content-Type", "application/merge-patch+json")
                .method(
                        "PATCH",
                        HttpRequest.BodyPublishers.ofString(
                                "{\"metadata\":{\"annotations\":{\"lightpath.dev/faulty\":" + reason + "}}}"))
                .build();
        try {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(answer.body());
            }
        } catch (IOException e) {
            throw new IllegalStateException(node, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(node, e);
        }
    }

    @Test
    @Order(3)
    void costsTheOperatorLittle() throws InterruptedException {
        awaitNoFault();
        print("the operator at rest, no viewer: %.1f %% of a core", cost(false));
        print("the operator with a fault or its end each 5 s, no viewer: %.1f %% of a core", cost(true));
        AtomicLong read = new AtomicLong();
        List<Thread> viewers = new ArrayList<>();
        for (int viewer = 0; viewer < VIEWERS; viewer++) {
            String own = account(viewer / 5);
            viewers.add(Thread.ofVirtual().start(() -> follow(own, read)));
        }
        Thread.sleep(5_000);
        print("at rest, %d viewers of the ring: %.1f %% of a core", VIEWERS, cost(false));
        long before = read.get();
        print("with a fault or its end each 5 s, %d viewers of the ring: %.1f %% of a core", VIEWERS, cost(true));
        print("they read %d documents meanwhile", read.get() - before);
        viewers.forEach(Thread::interrupt);
        for (int account = 0; account < 2; account++) {
            environment.run("delete", "clusterrolebinding", "console-figures-" + account);
            environment.run("delete", "serviceaccount", "figures-" + account, "-n", "default");
        }
    }

    /** Faults of earlier figures clear one by one, when their time is over. */
    private void awaitNoFault() throws InterruptedException {
        while (!environment.json("get", "of", "ring-a").at("/status/faults").isEmpty()) {
            Thread.sleep(1_000);
        }
        Thread.sleep(20_000);
    }

    /** Its token; one caller may have eight streams. */
    private String account(int number) {
        String name = "figures-" + number;
        if (!environment.run("get", "serviceaccounts", "-n", "default").contains(name)) {
            environment.run("create", "serviceaccount", name, "-n", "default");
            environment.run(
                    "create",
                    "clusterrolebinding",
                    "console-" + name,
                    "--clusterrole=lightpath-view",
                    "--serviceaccount=default:" + name);
        }
        return environment.run("create", "token", name, "-n", "default").strip();
    }

    /** As a page does: reads the ring and the overview after each change. */
    private void follow(String own, AtomicLong read) {
        try (BufferedReader news = new BufferedReader(new InputStreamReader(
                http.send(asked("live", own), HttpResponse.BodyHandlers.ofInputStream())
                        .body(),
                StandardCharsets.UTF_8))) {
            String line;
            while ((line = news.readLine()) != null) {
                if (line.startsWith("data:")) {
                    read("ring/ring-a", own, read);
                    if (line.contains("fabrics")) {
                        read("overview", own, read);
                    }
                }
            }
        } catch (IOException | InterruptedException over) {
            // the figures are taken
        }
    }

    private void read(String address, String own, AtomicLong read) throws IOException, InterruptedException {
        for (int again = 1; ; again++) {
            HttpResponse<InputStream> answer =
                    http.send(asked(address, own), HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                body.readAllBytes();
            }
            if (answer.statusCode() != 429) {
                read.incrementAndGet();
                return;
            }
            Thread.sleep(150L * again);
        }
    }

    private HttpRequest asked(String address, String own) {
        return HttpRequest.newBuilder(URI.create(environment.operator() + "/console/api/" + address))
                .header("Authorization", "Bearer " + own)
                .build();
    }

    /** Share of a core that the operator takes, in percent. */
    private double cost(boolean faults) throws InterruptedException {
        Thread.sleep(2_000);
        double before = operatorSeconds();
        long began = System.nanoTime();
        for (int step = 0; System.nanoTime() - began < WATCHED.toNanos(); step++) {
            if (faults) {
                mark("n" + (11 * (step / 2) + 5), step % 2 == 0 ? "\"cost\"" : "null");
            }
            Thread.sleep(BETWEEN_FAULTS);
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        return 100 * (operatorSeconds() - before) / seconds;
    }

    private static double operatorSeconds() {
        String pid = System.getenv("LIGHTPATH_OPERATOR_PID");
        return ProcessHandle.of(Long.parseLong(pid))
                        .orElseThrow()
                        .info()
                        .totalCpuDuration()
                        .orElseThrow()
                        .toMillis()
                / 1000.0;
    }

    @Test
    @Order(4)
    void simulatesAFault() throws IOException, InterruptedException {
        List<Double> answered = new ArrayList<>();
        double before = operatorSeconds();
        for (int question = 0; question < VIEWS; question++) {
            long began = System.nanoTime();
            HttpResponse<InputStream> answer = http.send(
                    asked("what-if?fault=node/n" + (100 * question + 50), token),
                    HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = answer.body()) {
                body.readAllBytes();
            }
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("what-if answered " + answer.statusCode());
            }
            answered.add((System.nanoTime() - began) / 1e6);
        }
        print("what-if of a node: %s", spread(answered));
        print("processor time of the operator for each: %.2f s", (operatorSeconds() - before) / VIEWS);
    }

    /** What no environment here can hold. */
    @Test
    @Order(5)
    void drawsEveryBundleOfALargeRing() {
        for (int positions : List.of(10_000, 16_384)) {
            String document = LargeRing.document(positions, 8);
            Page page = page();
            page.navigate(environment.operator() + "/console/#/");
            page.waitForSelector("main h1");
            page.route(
                    "**/api/ring/large",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("application/json")
                            .setBody(document)));
            Object first = page.evaluate("""
                    async () => {
                      const began = performance.now();
                      location.hash = "#/ring/large";
                      while (!document.querySelector("canvas")?.dataset.paintMillis) {
                        await new Promise((wake) => setTimeout(wake, 5));
                      }
                      return Math.round(performance.now() - began);
                    }""");
            page.focus("canvas");
            double slowest = 0;
            for (int step = 0; step < 40; step++) {
                page.keyboard().press(step < 30 ? "+" : "-");
                page.waitForTimeout(30);
                slowest = Math.max(slowest, Double.parseDouble(page.getAttribute("canvas", "data-paint-millis")));
            }
            print(
                    "%d positions, %d bundles, %d bytes: click to picture %s ms, slowest frame %.0f ms, heap %s MiB, process %d MiB",
                    positions, 8 * positions, document.length(), first, slowest, heap(page), rendererMebibytes());
            page.close();
        }
    }
}
