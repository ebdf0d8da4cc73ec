package dev.lightpath.app.whole;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.apiserver.ApiServer;
import dev.lightpath.crds.apiserver.ApiServerExtension;
import dev.lightpath.crds.job.agreement.HookAgreement;
import dev.lightpath.crds.slice.AnnouncementAnswer;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process of a running job is asked by HTTP before its light moves. It is a server at an address of this machine that
 * is not loopback: the address of no pod is, and the operator calls none.
 */
@ExtendWith(ApiServerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HookIT {
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String SPEC = """
            {model: {preset: gpt-7b}, parallelism: {tensor: 4, pipeline: 2}, reconfiguration: Live,
             agreement: {waitSeconds: 86400, hook: {port: %d, path: /hangs}}, scaleOut: {fabric: dc, stagesPerPod: 1},
             workload: {template: {spec: {containers: [{name: train, image: example/train,
              resources: {limits: {nvidia.com/gpu: 4}}}]}}}}""";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer process;
    private Installation all;
    private JobOnSwitches scene;

    @BeforeAll
    void install(ApiServer server, @TempDir Path folder) throws IOException {
        process = HttpServer.create(new InetSocketAddress(address(), 0), 0);
        process.setExecutor(threads);
        process.createContext("/", this::answer);
        process.start();
        scene = new JobOnSwitches(server, folder);
        all = scene.all;
        all.start();
    }

    @AfterAll
    void uninstall() throws IOException {
        end.countDown();
        scene.close();
        process.stop(0);
        threads.shutdownNow();
    }

    private static InetAddress address() throws IOException {
        return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                .flatMap(card -> Collections.list(card.getInetAddresses()).stream())
                .filter(own -> own instanceof Inet4Address && !own.isLoopbackAddress() && !own.isLinkLocalAddress())
                .findFirst()
                .orElseThrow(() -> new IOException("this machine has no address but loopback"));
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        asked.add(path + " " + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        switch (path) {
            case "/hangs" -> {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            case "/redirects" -> {
                exchange.getResponseHeaders().set("Location", "http://127.0.0.1/secrets");
                exchange.sendResponseHeaders(307, -1);
            }
            case "/floods" -> {
                exchange.sendResponseHeaders(200, 100L << 20);
                try (OutputStream out = exchange.getResponseBody()) {
                    byte[] much = new byte[1 << 16];
                    for (int i = 0; i < 100 << 4; i++) {
                        out.write(much);
                    }
                }
            }
            case "/waits" -> exchange.sendResponseHeaders(204, -1);
            default -> exchange.sendResponseHeaders(200, -1);
        }
        exchange.close();
    }

    @Test
    void lightOfARunningJobMovesOnceItsProcessAgrees() throws JsonProcessingException {
        scene.apply(SPEC.formatted(process.getAddress().getPort()));
        scene.awaitRunning();

        String first = scene.opticalSwitch();
        SortedSet<String> before = scene.lit();
        scene.drain(first, true);
        awaitHook("HookFailed", "fabric dc allows no hooks");
        allow(process.getAddress().getPort() - 1);
        awaitHook(
                "HookFailed",
                "port " + process.getAddress().getPort() + " is none that fabric dc allows: "
                        + (process.getAddress().getPort() - 1));
        allow(process.getAddress().getPort());
        awaitHook("HookFailed", "it has no address yet");
        assertThat(asked).isEmpty();

        Pod rankZero = rankZero();
        place(rankZero, "127.0.0.1");
        call("/loops");
        awaitHook("HookFailed", "its address is not one that a pod can have alone");
        assertThat(asked).isEmpty();
        place(rankZero, process.getAddress().getAddress().getHostAddress());
        call("/hangs");
        awaitHook("HookFailed", "it gave no whole answer within 5 s");
        call("/redirects");
        awaitHook("HookFailed", "it answered HTTP 307; redirects are not followed");
        call("/floods");
        awaitHook("HookFailed", "its answer is larger than 4096 bytes");
        call("/waits");
        awaitHook("HookWaits", "pod " + rankZero.getMetadata().getName() + " has heard, and is not ready yet");
        all.eventually(
                "an event tells of the hook",
                () -> assertThat(all.client
                                .v1()
                                .events()
                                .inNamespace("default")
                                .list()
                                .getItems())
                        .extracting(Event::getReason)
                        .contains("HookFailed", "HookAnswered"));

        awaitCalls("/waits", times("/waits") + 1);
        String version = scene.job().getMetadata().getResourceVersion();
        awaitCalls("/waits", times("/waits") + 2);
        assertThat(scene.job().getMetadata().getResourceVersion())
                .as("to ask again writes nothing")
                .isEqualTo(version);
        all.kill();
        int known = times("/waits");
        all.start();
        awaitCalls("/waits", known + 1);
        awaitHook("HookWaits", rankZero.getMetadata().getName());
        assertThat(scene.says("Agreed")).isEqualTo("False AwaitingAgreement");
        assertThat(scene.lit()).containsAll(before);
        assertThat(sent("/waits")).isEqualTo(announced(rankZero()));

        String slice = scene.slice().getMetadata().getName();
        long revision = scene.record().announcement().revision();
        call("/agrees");
        all.eventually("the light has moved", () -> {
            scene.assertLeft(first);
            assertThat(scene.says("Agreed")).isEqualTo("True Agreed");
            assertThat(scene.says("HookAnswered")).isEqualTo("True Agreed");
        });
        assertThat(times("/agrees")).isPositive();
        assertThat(scene.job().getStatus().agreed())
                .singleElement()
                .satisfies(agreed -> assertThat(agreed)
                        .isEqualTo(new HookAgreement(
                                slice, revision, rankZero.getMetadata().getName(), agreed.at())));
        assertThat(scene.record().announcement().answer()).isEqualTo(AnnouncementAnswer.AGREED);

        scene.drain(first, false);
        call("/waits");
        String second = scene.opticalSwitch();
        int calls = times("/waits");
        scene.drain(second, true);
        awaitCalls("/waits", calls + 1);
        awaitHook("HookWaits", rankZero.getMetadata().getName());
        assertThat(scene.job().getStatus().agreed()).as("to another move").isEmpty();
        scene.annotate(
                LightpathAnnotations.AGREED_REVISION,
                slice + "/" + scene.record().announcement().revision());
        all.eventually("the annotation answers beside the hook", () -> {
            scene.assertLeft(second);
            assertThat(scene.says("Agreed")).isEqualTo("True Agreed");
            assertThat(scene.says("HookAnswered")).isEmpty();
        });
        scene.drain(second, false);
    }

    private void allow(int port) {
        scene.patchFabric("{\"spec\":{\"policy\":{\"agreementHooks\":{\"ports\":[{\"from\":%d,\"to\":%d}]}}}}"
                .formatted(port, port));
    }

    private void call(String path) {
        scene.patch("{\"spec\":{\"agreement\":{\"hook\":{\"path\":\"" + path + "\"}}}}");
    }

    /** As its kubelet would tell it. */
    private void place(Pod pod, String address) {
        all.client
                .pods()
                .resource(pod)
                .subresource("status")
                .patch(
                        MERGE,
                        "{\"status\":{\"podIP\":\"%s\",\"podIPs\":[{\"ip\":\"%s\"}]}}".formatted(address, address));
    }

    private void awaitHook(String reason, String words) {
        all.eventually(
                reason + " " + words,
                () -> assertThat(scene.job().getStatus().conditions().stream()
                                .filter(condition -> condition.getType().equals("HookAnswered")))
                        .singleElement()
                        .satisfies(condition -> {
                            assertThat(condition.getStatus()).isEqualTo("False");
                            assertThat(condition.getReason()).isEqualTo(reason);
                            assertThat(condition.getMessage()).contains(words).hasLineCount(1);
                        }));
    }

    private void awaitCalls(String path, int atLeast) {
        all.eventually("it is asked again", () -> assertThat(times(path)).isGreaterThanOrEqualTo(atLeast));
    }

    private int times(String path) {
        return (int) asked.stream().filter(each -> each.startsWith(path + " ")).count();
    }

    private JsonNode sent(String path) throws JsonProcessingException {
        String last = asked.stream()
                .filter(each -> each.startsWith(path + " "))
                .reduce((former, later) -> later)
                .orElseThrow();
        return new ObjectMapper().readTree(last.substring(path.length() + 1));
    }

    /** What light.json of a pod says of the move. */
    private static JsonNode announced(Pod pod) throws JsonProcessingException {
        return new ObjectMapper()
                .readTree(pod.getMetadata().getAnnotations().get(LightpathAnnotations.LIGHT))
                .at("/darkness/0");
    }

    private Pod rankZero() {
        return scene.pods().stream()
                .filter(pod -> "0".equals(pod.getMetadata().getAnnotations().get(LightpathAnnotations.RANK)))
                .findFirst()
                .orElseThrow();
    }
}
