package dev.lightpath.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.ElementHandle;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The life of a job, a fault and a repair, as a person sees it in the distribution's Chromium. One step after the
 * other.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class ConsoleIT {
    private static final Path PICTURES = Path.of("..", "..", "docs", "pictures");
    private static final int REACH = 3;
    private static final String LLM = """
            apiVersion: lightpath.dev/v1alpha1
            kind: TrainingJob
            metadata: {name: llm, namespace: default}
            spec: {model: {preset: gpt-7b}, parallelism: {tensor: 16, data: 3}, scaleUp: {fabric: ring-a}}
            """;
    /** A job whose name is as long as a name may be, to be in the way. */
    private static final String LONG_NAME = "a" + "-very-long-name".repeat(3);

    private static final String HOSTILE = "<img src=x onerror=\"window.harmed=1\"> \u202e" + "smoke".repeat(60);

    private final Environment environment = Environment.fromVariables();
    private Chromium chromium;
    private Environment.Console console;
    private Watched page;
    private String faulty;

    @BeforeAll
    void open() throws IOException {
        chromium = Chromium.open();
        console = environment.console();
        page = new Watched(chromium.browser(), console.address(), 1280, 800, ColorScheme.DARK);
        Files.createDirectories(PICTURES);
    }

    @AfterAll
    void close() {
        environment.run("annotate", "node", "--all", "lightpath.dev/faulty-");
        environment.run("delete", "tj", "--all", "--wait=false");
        chromium.close();
        console.close();
    }

    @Test
    @Order(1)
    void keepsTheTokenOutOfItsAddress() {
        assertThat(page.page().url()).endsWith("/#/");
        page.shows("Nothing needs a person").isWell();
    }

    @Test
    @Order(2)
    void showsJobsAsTheyComeWithoutBeingAsked() {
        page.go("#/ring/ring-a").shows("No job holds nodes here");
        environment.apply(LLM);
        environment.apply(Jobs.onTwoFabrics("two-fabrics"));
        page.shows("default/llm").shows("12 nodes").shows("default/two-fabrics").isWell();
        JsonNode slices = environment.json("get", "fs", "-l", "lightpath.dev/job=llm");
        page.go("#/job/default/llm").shows("36 of 36 circuits lit");
        slices.at("/items/0/status/allocation/groups")
                .forEach(group -> group.at("/nodes").forEach(node -> page.shows(node.asText())));
        page.isWell();
        assertThat(slices.at("/items/0/status/allocation/groups/0/nodes")).hasSizeGreaterThan(3);
        slices.at("/items/0/status/allocation/groups/0/nodes").forEach(node -> showsTheLightOf(node.asText()));
    }

    /** That the page shows of each bundle of a node what the hardware does. */
    private void showsTheLightOf(String node) {
        page.go("#/ring/ring-a?node=" + node).shows("Bundles");
        List<String> bundles = environment.bundles(node, REACH);
        page.page()
                .waitForFunction(
                        "told => [...document.querySelectorAll('.panel tbody tr')].map(row => /path [12]/.exec("
                                + "row.cells[1].textContent)?.[0] ?? row.cells[1].textContent.trim()).join() === told",
                        String.join(",", bundles));
        page.page()
                .waitForFunction(
                        "count => [...document.querySelectorAll('.panel tbody tr .good')].length === count",
                        bundles.size());
    }

    @Test
    @Order(3)
    void showsAFaultItsRepairAndItsCost() {
        page.go("#/ring/ring-a");
        String node = environment
                .json("get", "fs", "-l", "lightpath.dev/job=llm")
                .at("/items/0/status/allocation/groups/0/nodes/3")
                .asText();
        faulty = node;
        environment.run("annotate", "node", node, "lightpath.dev/faulty=" + HOSTILE);
        page.shows("DeclaredFaulty: " + HOSTILE.substring(0, 36));
        assertThat(page.page().evaluate("() => window.harmed"))
                .as("text stays text")
                .isNull();
        page.fits();
        page.go("#/job/default/llm")
                .shows("in for " + node)
                .shows("revision 2")
                .shows("36 of 36 circuits lit")
                .isWell();
        environment
                .json("get", "fs", "-l", "lightpath.dev/job=llm")
                .at("/items/0/status/allocation/groups/0/nodes")
                .forEach(of -> showsTheLightOf(of.asText()));
        page.go("#/job/default/llm");
        String why = environment
                .json("get", "fs", "-l", "lightpath.dev/job=llm")
                .at("/items/0/status/allocation/origin/why")
                .asText();
        page.shows(why).shows("Repairs seen1");
        page.go("#/timeline")
                .shows("node/" + node)
                .shows("DeclaredFaulty")
                .shows("Recorded")
                .isWell();
        page.go("#/").shows("node/" + node).shows("Needs attention").fits().isWell();
    }

    @Test
    @Order(13)
    void takesAddressesAndNamesAsText() {
        for (String address : List.of(
                "#/ring/" + HOSTILE, "#/job/%3Cimg%20src%3Dx%20onerror%3Dwindow.harmed%3D1%3E/x", "#/%", "#/../../x")) {
            page.go(address).page().waitForSelector("main .alarm");
            page.fits();
        }
        page.toldOf("404");
        page.go("#/timeline?find=" + HOSTILE).shows("Nothing that fits").isWell();
        environment.apply("""
                apiVersion: lightpath.dev/v1alpha1
                kind: TrainingJob
                metadata: {name: %s, namespace: default}
                spec: {model: {preset: gpt-7b}, parallelism: {tensor: 4, data: 1}, scaleUp: {fabric: ring-a}}
                """.formatted(LONG_NAME));
        for (String view : List.of("#/", "#/ring/ring-a", "#/job/default/" + LONG_NAME, "#/timeline")) {
            page.go(view).shows(LONG_NAME).fits().isWell();
        }
        assertThat(page.page().evaluate("() => window.harmed")).isNull();
        environment.run("delete", "tj", LONG_NAME);
        page.hides(LONG_NAME + " Lit");
    }

    @Test
    @Order(4)
    void saysWhyAJobWaitsInTheWordsOfItsStatus() {
        environment.apply(Jobs.tooLarge("too-large"));
        page.go("#/").shows("too-large").shows("InsufficientCapacity");
        page.go("#/job/default/too-large").shows("Why it is not ready");
        page.page().waitForFunction("() => document.querySelector('.waits li')");
        JsonNode ready = condition(environment.json("get", "tj", "too-large"), "Ready");
        page.shows(ready.at("/reason").asText() + ": " + ready.at("/message").asText());
        page.isWell();
    }

    @Test
    @Order(5)
    void simulatesAFaultAsTheCommandLineDoes() {
        page.go("#/ring/ring-a?node=n9&bundle=n8/b1");
        assertThat(page.page().textContent(".what-if button"))
                .as("the bundle of another node is not asked about")
                .contains("node/n9");
        page.page().click(".what-if button");
        page.page().waitForSelector(".what-if pre");
        String said = environment.run("lightpath", "simulate-fault", "node/n9");
        assertThat(page.page().textContent(".what-if pre").strip().lines().map(String::strip))
                .containsExactlyElementsOf(
                        said.strip().lines().map(String::strip).toList());
        page.isWell();
    }

    @Test
    @Order(6)
    void showsSwitchesPortByPort() {
        page.go("#/spine/spine").shows("default/two-fabrics").isWell();
        for (JsonNode of : environment.json("get", "osw").at("/items")) {
            String name = of.at("/metadata/name").asText();
            List<String> light = environment.light(name).entrySet().stream()
                    .map(each -> each.getKey() + ">" + each.getValue())
                    .sorted()
                    .toList();
            page.go("#/switch/" + name).shows(light.size() + " lit");
            assertThat(page.page()
                            .evaluate("() => [...document.querySelectorAll('main tbody tr')]"
                                    + ".filter(row => row.cells[2].textContent.includes('lit'))"
                                    + ".map(row => row.cells[0].textContent.trim().split(' / ')[0] + '>'"
                                    + " + row.cells[3].textContent.trim().split(' ')[0]).sort()"))
                    .as(name)
                    .isEqualTo(light);
            page.isWell();
        }
    }

    @Test
    @Order(7)
    void drainsASwitchAfterAConfirmation() {
        page.go("#/switch/ocs-7");
        page.page().click("text=Drain");
        page.page().waitForSelector("dialog[open] li");
        page.isWell();
        assertThat(drained("ocs-7")).as("only asked").isFalse();
        page.page().click("dialog .primary");
        page.page().waitForSelector("dialog .calm");
        assertThat(drained("ocs-7")).isTrue();
        page.page().click("dialog .primary");
        page.shows("drained");
        environment.run("lightpath", "undrain", "switch/ocs-7");
        page.hides("⊘ drained").isWell();
    }

    @Test
    @Order(14)
    void showsEveryViewAsItWas() {
        page.go("#/ring/ring-a").shows("default/llm");
        page.page().click("header button:text-is('Replay')");
        page.page().waitForSelector(".replay");
        page.page().locator(".replay input").fill("0");
        page.shows("No job holds nodes here").isWell();
        assertThat(page.page().url()).contains("at=20");
        assertThat(page.page().querySelectorAll(".acts button"))
                .as("the past stays as it was")
                .isEmpty();
        page.go("#/").shows("No TrainingJob that you may see").isWell();
        page.go("#/job/default/llm").shows("there is no job/default/llm").toldOf("404");
        page.go("#/ring/ring-a").shows("No job holds nodes here");
        page.page().click(".replay button:text-is('Play')");
        page.shows("default/llm");
        page.page().click("text=Back to now");
        page.page()
                .waitForSelector(".replay", new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED));
        page.go("#/timeline?kind=FAULT").shows("DeclaredFaulty");
        page.go("#/timeline?kind=DECISION");
        page.page().locator("text=as it was then").last().click();
        page.page().waitForSelector(".replay");
        page.isWell();
        page.page().click("text=Back to now");
        page.go("#/ring/ring-a?at=2020-01-01T00:00:00Z").shows("is not known").toldOf("404");
        page.page().click("text=Back to now");
        page.shows("default/llm").isWell();
    }

    @Test
    @Order(15)
    void saysThatAnActBecameImpossibleMeanwhile() {
        page.go("#/job/default/llm");
        page.page().click("text=Force release");
        page.page().waitForSelector("dialog[open] li");
        environment.run("delete", "tj", "llm");
        environment.run("wait", "--for=delete", "fs", "-l", "lightpath.dev/job=llm", "--timeout=60s");
        page.page().click("dialog .primary");
        page.page().waitForSelector("dialog .alarm");
        assertThat(page.page().textContent("dialog .alarm"))
                .contains("there is no")
                .hasLineCount(1);
        page.page().click("dialog .primary");
        page.go("#/").shows("default/two-fabrics").toldOf("400").toldOf("404").isWell();
    }

    private boolean drained(String name) {
        return environment.json("get", "osw", name).at("/spec/drained").asBoolean();
    }

    @Test
    @Order(8)
    void isUsedByKeysAlone() {
        page.go("#/ring/ring-a");
        page.page().focus("canvas");
        page.page().keyboard().press("f");
        page.page().waitForFunction("() => location.hash.includes('node=')");
        page.shows("faulty");
        page.page().keyboard().press("ArrowRight");
        page.page().keyboard().press("+");
        page.page().keyboard().press("0");
        page.isWell();
    }

    @Test
    @Order(9)
    void isWalkedByKeysAlone() {
        page.go("#/");
        page.tabTo("Skip to content").press("Enter").tabTo("ring-a").press("Enter");
        page.page().waitForFunction("() => location.hash === '#/ring/ring-a'");
        page.tabTo("Ring ring-a: arrow keys").press("ArrowRight").tabTo("b1").press("Space");
        page.page().waitForFunction("() => /node=(n\\d+)&bundle=\\1(\\/|%2F)b1/.test(location.hash)");
        page.tabTo("What if port/").press("Enter");
        page.page().waitForSelector(".what-if pre");
        String fault = page.page().textContent(".what-if button").replaceAll("What if |\\s*failed\\?", "");
        assertThat(page.page().textContent(".what-if pre").strip().lines().map(String::strip))
                .containsExactlyElementsOf(environment
                        .run("lightpath", "simulate-fault", fault.strip())
                        .strip()
                        .lines()
                        .map(String::strip)
                        .toList());
        page.isWell();
        page.tabTo("spine").press("Enter");
        page.page().waitForFunction("() => location.hash === '#/spine/spine'");
        page.tabTo("ocs-7").press("Enter");
        page.page().waitForFunction("() => location.hash.startsWith('#/switch/ocs-7')");
        page.tabTo("Drain").press("Enter");
        page.page().waitForSelector("dialog[open] li");
        page.press("Escape");
        page.page().waitForFunction("() => !document.querySelector('dialog').open");
        assertThat(page.focused()).as("back where it was").isEqualTo("Drain");
        page.press("Enter");
        page.page().waitForSelector("dialog[open] li");
        page.tabTo("Drain").press("Enter");
        page.page().waitForSelector("dialog .calm");
        assertThat(drained("ocs-7")).isTrue();
        page.tabTo("Close").press("Enter");
        environment.run("lightpath", "undrain", "switch/ocs-7");
        page.hides("⊘ drained").isWell();
    }

    /** As people see it who see no colour at all. */
    @Test
    @Order(9)
    void marksDifferWithoutColour() throws IOException {
        page.go("#/ring/ring-a");
        page.seesNoColour(true);
        List<byte[]> marks = page.page().querySelectorAll(".marks svg").stream()
                .map(ElementHandle::screenshot)
                .toList();
        page.picture(Path.of("target", "without-colour.png"));
        page.seesNoColour(false);
        assertThat(marks).hasSize(7);
        for (int one = 0; one < marks.size(); one++) {
            for (int other = 0; other < one; other++) {
                assertThat(Pictures.difference(marks.get(one), marks.get(other)))
                        .as("marks %d and %d", one, other)
                        .isGreaterThan(0.05);
            }
        }
    }

    @Test
    @Order(10)
    void worksOnAPhoneAndInLight() {
        Watched phone = new Watched(chromium.browser(), console.address(), 390, 780, ColorScheme.LIGHT);
        for (String view : List.of("#/", "#/ring/ring-a", "#/spine/spine", "#/job/default/llm", "#/timeline")) {
            phone.go(view).fits().isWell();
        }
        phone.page().close();
    }

    @Test
    @Order(11)
    void makesThePicturesOfTheDocumentation() {
        environment.run("annotate", "node", faulty, "lightpath.dev/faulty=smells of smoke", "--overwrite");
        String node = environment
                .json("get", "fs", "-l", "lightpath.dev/job=llm")
                .at("/items/0/status/allocation/groups/1/nodes/1")
                .asText();
        page.go("#/ring/ring-a").shows("smells of smoke").go("#/ring/ring-a?node=" + node);
        page.page().click(".what-if button");
        page.page().waitForSelector(".what-if pre");
        page.picture(PICTURES.resolve("ring.png"));
        page.go("#/spine/spine").picture(PICTURES.resolve("switches.png"));
        page.go("#/job/default/too-large").picture(PICTURES.resolve("job.png"));
        page.go("#/timeline").picture(PICTURES.resolve("timeline.png"));
    }

    @Test
    @Order(16)
    void saysThatTheConnectionIsLost() {
        page.go("#/");
        console.close();
        page.page().waitForSelector(".lost");
        assertThat(page.text()).as("what was known stays").contains("ring-a");
    }

    private static JsonNode condition(JsonNode object, String type) {
        for (JsonNode condition : object.at("/status/conditions")) {
            if (condition.at("/type").asText().equals(type)) {
                return condition;
            }
        }
        throw new AssertionError("no condition " + type + " in " + object);
    }
}
