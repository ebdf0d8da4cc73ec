package dev.lightpath.app.publish;

import dev.lightpath.app.BackgroundThread;
import dev.lightpath.app.access.Refused;
import dev.lightpath.console.Look;
import dev.lightpath.console.ReadBack;
import dev.lightpath.console.explain.ExplainPage;
import dev.lightpath.console.explain.ExplainReport;
import dev.lightpath.console.forecast.FaultOutlook;
import dev.lightpath.console.report.Fabrics;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.delta.search.SearchLimits;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the console asks beside its views, in the words of the command line. It searches nothing: an answer costs some
 * simulations. One at a time is worked out, and takes what the planning loop leaves of the processor.
 */
@Singleton
public class ConsoleAnswers {
    /** After which a simulated fault is shown as far as it has come. */
    private static final Duration MOST = Duration.ofSeconds(10);

    private final ConsoleLooks looks;
    private final Semaphore turn = new Semaphore(1);

    @Inject
    ConsoleAnswers(ConsoleLooks looks) {
        this.looks = looks;
    }

    /** Lines as the command line prints them. */
    record Lines(List<String> lines) {}

    /**
     * What {@code explain tj/NAME} says, but for what one more port would give.
     *
     * @param look as the caller may see it
     * @throws Refused 404 where there is no such job, 429 while another answer is worked out
     */
    Lines explain(Look look, String namespace, String name) {
        TrainingJob job = look.job(namespace, name)
                .filter(of -> look.sight().shows(namespace))
                .orElseThrow(() -> new Refused(404, "there is no such thing, or you may not see it"));
        return alone("job " + namespace + "/" + name, () -> explained(job, look));
    }

    /**
     * What {@code simulate-fault TYPE/NAME} says. Circuits that no pass has asked DELTA for follow the traffic.
     *
     * @param look as the caller may see it, with whole fabrics
     * @throws Refused 400 where nothing of this name could fail, 429 while another answer is worked out
     */
    Lines whatIf(Look look, String fault) {
        return alone("fault " + fault, () -> simulated(look, fault));
    }

    private Lines alone(String of, Callable<Lines> answer) {
        if (!turn.tryAcquire()) {
            throw new Refused(429, "another question is being answered: ask again in a second");
        }
        try {
            FutureTask<Lines> work = new FutureTask<>(answer);
            BackgroundThread.of("console-answer", work).start();
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

    private static Lines explained(TrainingJob job, Look look) {
        ExplainReport report = ExplainReport.of(
                job,
                look.shownSlices(),
                look.fabrics(),
                look.switches(),
                Fabrics.of(look.fabrics(), look.switches(), look.nodes()),
                SearchLimits.standard().stoppingWhen(() -> true));
        List<String> lines =
                new ArrayList<>(ExplainPage.of(report).render().lines().toList());
        if (!report.scaleOut().isEmpty()) {
            lines.add("");
            lines.add("what one more port would give: kubectl lightpath explain tj/" + report.name() + " -n "
                    + report.namespace());
        }
        return new Lines(lines);
    }

    private Lines simulated(Look look, String fault) {
        long began = System.nanoTime();
        SortedMap<String, TopologyAnswer> known = looks.answers();
        AtomicInteger unsearched = new AtomicInteger();
        List<String> lines = new ArrayList<>();
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
        return new Lines(lines);
    }

    private static Set<String> foreign(Look look, OpticalFabric fabric) {
        ReadBack light = look.light().get(fabric.getMetadata().getName());
        return light == null ? Set.of() : ReadBack.devices(light.foreign());
    }
}
