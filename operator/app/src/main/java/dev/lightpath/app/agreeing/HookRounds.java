package dev.lightpath.app.agreeing;

import dev.lightpath.app.driver.FencingEpoch;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks pods when they are due, while this process leads. Each is asked on a thread of its own, so that one that does
 * not answer holds up no other.
 */
@Singleton
public class HookRounds {
    private static final Logger LOG = LoggerFactory.getLogger(HookRounds.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final AskedHooks hooks = new AskedHooks(System::nanoTime);
    private final HookCall call = new HookCall(PATIENCE, InstantSource.system());
    private final KubernetesClient client;
    private final FencingEpoch epoch;
    private final Set<InetAddress> never;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("agreement-hooks").daemon().factory());
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();

    @Inject
    HookRounds(KubernetesClient client, FencingEpoch epoch) {
        this.client = client;
        this.epoch = epoch;
        this.never = PodAddress.literal(host(client)).stream().collect(Collectors.toUnmodifiableSet());
    }

    /** Of the API server, without the brackets of IPv6. */
    private static String host(KubernetesClient client) {
        String host = client.getMasterUrl().getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    @Produces
    @Singleton
    AskedHooks hooks() {
        return hooks;
    }

    void started(@Observes StartupEvent event) {
        clock.scheduleWithFixedDelay(this::look, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        try {
            long held = epoch.held();
            hooks.under(held);
            if (held > 0) {
                hooks.due().forEach(question -> calls.execute(() -> ask(question)));
            }
        } catch (RuntimeException | Error e) {
            // whatever it is: the next look is due all the same
            LOG.atWarn().setCause(e).log("hooks of jobs were not called");
        }
    }

    private void ask(HookQuestion question) {
        HookAnswer answer = new HookAnswer.Failed("it could not be asked; the log of the operator says why");
        try {
            // read now: an address may be another pod's by the time that its pod is gone
            answer = switch (PodAddress.of(
                    client.pods()
                            .inNamespace(question.namespace())
                            .withName(question.pod())
                            .get(),
                    question,
                    never)) {
                case PodAddress.At(InetAddress address) -> call.ask(address, question);
                case PodAddress.None(String why) -> new HookAnswer.Failed(why);
            };
        } catch (KubernetesClientException e) {
            answer = new HookAnswer.Failed("the API server did not tell its address");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.atWarn()
                    .addKeyValue("job", question.namespace() + "/" + question.job())
                    .setCause(e)
                    .log("its hook was not called");
        } finally {
            hooks.answered(question, answer);
        }
    }

    @PreDestroy
    void close() {
        clock.shutdownNow();
        calls.shutdownNow();
    }
}
