package dev.lightpath.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitForSelectorState;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** The console that the operator serves: who may see what, and an operator that goes and comes back. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class OperatorConsoleIT {
    private static final String JOB = """
            apiVersion: lightpath.dev/v1alpha1
            kind: TrainingJob
            metadata: {name: seen, namespace: default}
            spec: {model: {preset: gpt-7b}, parallelism: {tensor: 8, data: 2}, scaleUp: {fabric: ring-a}}
            """;

    private final Environment environment = Environment.fromVariables();
    private Chromium chromium;

    @BeforeAll
    void open() {
        chromium = Chromium.open();
        for (String account : new String[] {"viewer", "tenant", "stranger"}) {
            environment.run("create", "serviceaccount", account, "-n", "default");
        }
        environment.run(
                "create",
                "clusterrolebinding",
                "console-viewer",
                "--clusterrole=lightpath-view",
                "--serviceaccount=default:viewer");
        environment.run(
                "create",
                "rolebinding",
                "console-tenant",
                "-n",
                "default",
                "--clusterrole=lightpath-view",
                "--serviceaccount=default:tenant");
        environment.apply(JOB);
        environment.run("wait", "--for=condition=Ready", "tj/seen", "-n", "default", "--timeout=60s");
    }

    @AfterAll
    void close() {
        environment.run("delete", "tj", "seen", "--wait=false");
        environment.run("delete", "rolebinding", "console-tenant", "-n", "default");
        environment.run("delete", "clusterrolebinding", "console-viewer");
        environment.run("delete", "serviceaccount", "viewer", "tenant", "stranger", "-n", "default");
        chromium.close();
    }

    private Watched page() {
        return new Watched(chromium.browser(), environment.operator() + "/console/", 1280, 800, ColorScheme.LIGHT);
    }

    private Watched enter(Watched page, String token) {
        page.page().fill("#token", token);
        page.page().click("text=Open");
        return page;
    }

    private String token(String account) {
        return environment.run("create", "token", account, "-n", "default").strip();
    }

    @Test
    @Order(1)
    void showsNothingWithoutATokenThatTheClusterKnows() {
        Watched page = page();
        page.shows("needs a token").toldOf("401").isWell();
        assertThat(page.text()).doesNotContain("ring-a", "seen");
        enter(page, "wrong")
                .shows("the cluster does not know this token")
                .toldOf("401")
                .isWell();
        assertThat(page.text()).doesNotContain("ring-a", "seen");
        page.page().close();
    }

    @Test
    @Order(1)
    void tellsATokenWithoutRightsWhichItLacks() {
        Watched page = page();
        enter(page, token("stranger")).shows("default:stranger may neither get opticalfabrics/view");
        page.toldOf("401").toldOf("403").isWell();
        page.page().close();
    }

    @Test
    @Order(1)
    void showsATenantItsJobAndNoFabric() {
        Watched page = page();
        enter(page, token("tenant")).shows("No OpticalFabric that you may see").shows("default/seen");
        page.toldOf("401").isWell();
        page.go("#/job/default/seen").shows("circuits lit").isWell();
        page.go("#/ring/ring-a").shows("or you may not see it").toldOf("404").isWell();
        page.page().close();
    }

    @Test
    @Order(1)
    void explainsAJobAndSimulatesAFaultAsTheCommandLineDoes() {
        Watched page = page();
        enter(page, token("viewer")).shows("default/seen");
        page.toldOf("401").isWell();
        page.go("#/job/default/seen").shows("Why this light");
        page.page().click("button:text-is('Explain')");
        page.shows("TrainingJob default/seen: Ready").isWell();
        page.go("#/ring/ring-a?node=n9");
        page.page().click(".what-if button");
        page.page().waitForSelector(".what-if pre");
        String said = environment.run("lightpath", "simulate-fault", "node/n9");
        assertThat(page.page().textContent(".what-if pre").strip().lines().map(String::strip))
                .containsExactlyElementsOf(
                        said.strip().lines().map(String::strip).toList());
        page.isWell();
        page.page().close();
    }

    /** The last, because a page says more than the others expect while no operator leads. */
    @Test
    @Order(2)
    void offersNoActsAndSurvivesARestartOfTheOperator() throws InterruptedException, ExecutionException {
        Watched page = page();
        enter(page, token("viewer")).shows("default/seen");
        page.toldOf("401").isWell();
        assertThat(page.page().textContent("header")).contains("read only");
        page.go("#/ring/ring-a").shows("as read back from the devices").isWell();
        assertThat(page.page().querySelectorAll(".acts button")).isEmpty();
        FutureTask<String> restart = new FutureTask<>(() -> environment.restart("operator"), "leads");
        Thread.ofVirtual().start(restart);
        page.page().waitForSelector(".lost");
        assertThat(page.text()).as("what was known stays").contains("default/seen");
        assertThat(restart.get()).isEqualTo("leads");
        page.page().waitForSelector(".connection.live");
        page.page().waitForSelector(".lost", new Page.WaitForSelectorOptions().setState(WaitForSelectorState.DETACHED));
        environment.run("annotate", "node", "n30", "lightpath.dev/faulty=after the restart");
        page.shows("DeclaredFaulty: after the restart");
        environment.run("annotate", "node", "n30", "lightpath.dev/faulty-");
        page.hides("DeclaredFaulty: after the restart");
        page.page().close();
    }
}
