package dev.lightpath.app.publish;

import dev.lightpath.app.BackgroundThread;
import dev.lightpath.app.access.Refused;
import dev.lightpath.console.ForeignLight;
import dev.lightpath.console.Look;
import dev.lightpath.console.explain.ExplainReport;
import dev.lightpath.console.forecast.FaultOutlook;
import dev.lightpath.console.forecast.JobOutlook;
import dev.lightpath.console.forecast.NamedObjects;
import dev.lightpath.console.forecast.PlanReport;
import dev.lightpath.console.report.Fabrics;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.delta.search.SearchLimits;
import dev.lightpath.planner.words.Counted;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What is worked out for who asks, by the code of the command line: explanations, plans and simulated faults. It
 * searches nothing: an answer costs some simulations. One at a time is worked out, and takes what the planning loop
 * leaves of the processor.
 */
@Singleton
public class Previews {
    /** After which a simulated fault is shown as far as it has come. */
    private static final Duration MOST = Duration.ofSeconds(10);

    private final ConsoleLooks looks;
    private final NamedObjects named;
    private final Semaphore turn = new Semaphore(1);

    /** @param client reads what a plan asks for by name */
    @Inject
    Previews(ConsoleLooks looks, KubernetesClient client) {
        this.looks = looks;
        this.named = new ReadByName(client);
    }

    /**
     * What {@code explain tj/NAME} says, but for what one more port would give.
     *
     * @param look as the caller may see it
     * @throws Refused 404 where there is no such job, 429 while another answer is worked out
     */
    ExplainReport explain(Look look, String namespace, String name) {
        TrainingJob job = look.job(namespace, name)
                .filter(of -> look.sight().shows(namespace))
                .orElseThrow(() -> new Refused(404, "there is no such thing, or you may not see it"));
        return alone(
                "job " + namespace + "/" + name,
                () -> ExplainReport.of(
                        job,
                        look.slices(),
                        look.fabrics(),
                        look.switches(),
                        Fabrics.of(look.fabrics(), look.switches(), look.nodes()),
                        SearchLimits.standard().stoppingWhen(() -> true)));
    }

    /**
     * What {@code plan} says of jobs. Circuits follow the traffic.
     *
     * @param look as the caller may see it
     * @param jobs as the API server would store them
     * @throws Refused 400 where a job cannot be planned, 429 while another answer is worked out
     */
    PlanReport plan(Look look, List<TrainingJob> jobs) {
        return alone(jobs.size() + " jobs", () -> {
            PlanReport report = new JobOutlook(
                            look,
                            looks.pods(),
                            fabric -> foreign(look, fabric),
                            question -> question.unsolved("the operator searches nothing for a plan"),
                            named)
                    .plans(jobs);
            for (String line : unknown(look)) {
                report = report.noting(line);
            }
            return report.scaleOut().isEmpty()
                    ? report
                    : report.noting("circuits between pods follow the traffic here, without a search");
        });
    }

    /**
     * What {@code simulate-fault TYPE/NAME} says, in lines. Circuits that no pass has asked DELTA for follow the
     * traffic.
     *
     * @param look as the caller may see it, with whole fabrics
     * @throws Refused 400 where nothing of this name could fail, 429 while another answer is worked out
     */
    List<String> whatIf(Look look, String fault) {
        return alone("fault " + fault, () -> simulated(look, fault));
    }

    /**
     * Works out an answer while no other is worked out.
     *
     * @param of what it is about, for the log
     */
    <T> T alone(String of, Callable<T> answer) {
        if (!turn.tryAcquire()) {
            throw new Refused(429, "another question is being answered: ask again in a second");
        }
        try {
            FutureTask<T> work = new FutureTask<>(answer);
            BackgroundThread.of("preview", work).start();
            return work.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BadInput bad) {
                throw new Refused(400, String.valueOf(bad.getMessage()));
            }
            throw new IllegalStateException(of + ": no answer", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refused(503, "the operator is stopping");
        } finally {
            turn.release();
        }
    }

    private List<String> simulated(Look look, String fault) {
        long began = System.nanoTime();
        SortedMap<String, TopologyAnswer> known = looks.answers();
        AtomicInteger unsearched = new AtomicInteger();
        List<String> lines = new ArrayList<>(unknown(look));
        FaultOutlook outlook = new FaultOutlook(
                look,
                looks.pods(),
                fabric -> foreign(look, fabric),
                question -> {
                    TopologyAnswer answer = known.get(question.digest());
                    if (answer != null) {
                        return answer;
                    }
                    unsearched.incrementAndGet();
                    return question.unsolved("the console searches nothing");
                },
                () -> System.nanoTime() - began > MOST.toNanos(),
                lines::add);
        lines.addAll(outlook.lines(fault));
        if (unsearched.get() > 0) {
            lines.add("circuits between pods follow the traffic here, without a search; with one: kubectl lightpath"
                    + " simulate-fault " + fault);
        }
        return lines;
    }

    private static Set<String> foreign(Look look, OpticalFabric fabric) {
        return light(look, fabric).devices();
    }

    private static ForeignLight light(Look look, OpticalFabric fabric) {
        return ForeignLight.of(fabric, look.light().get(fabric.getMetadata().getName()));
    }

    /** A line for each fabric of which this replica does not know all nodes that are closed to plans. */
    static List<String> unknown(Look look) {
        List<String> lines = new ArrayList<>();
        if (look.sight().fabrics()) {
            look.fabrics().forEach(fabric -> {
                int unnamed = light(look, fabric).unnamed();
                if (unnamed > 0) {
                    lines.add("fabric " + fabric.getMetadata().getName() + " is led by another replica and has "
                            + Counted.of(unnamed, "more circuit") + " that nobody planned; on which nodes is not known"
                            + " here, so that the operator may place jobs elsewhere");
                }
            });
        }
        return lines;
    }

    private record ReadByName(KubernetesClient client) implements NamedObjects {
        @Override
        public Optional<PriorityClass> priorityClass(String name) {
            return Optional.ofNullable(
                    client.scheduling().v1().priorityClasses().withName(name).get());
        }

        @Override
        public Optional<Namespace> namespace(String name) {
            return Optional.ofNullable(client.namespaces().withName(name).get());
        }

        @Override
        public Optional<ConfigMap> configMap(String namespace, String name) {
            return Optional.ofNullable(
                    client.configMaps().inNamespace(namespace).withName(name).get());
        }
    }
}
