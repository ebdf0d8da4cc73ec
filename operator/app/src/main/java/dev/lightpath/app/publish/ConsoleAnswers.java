package dev.lightpath.app.publish;

import dev.lightpath.app.BackgroundThread;
import dev.lightpath.app.access.Refused;
import dev.lightpath.console.Look;
import dev.lightpath.console.explain.ExplainPage;
import dev.lightpath.console.explain.ExplainReport;
import dev.lightpath.console.report.Fabrics;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.planner.delta.search.SearchLimits;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;

/**
 * What the console asks beside its views, in the words of the command line. It searches nothing: an answer costs one
 * simulation of an iteration. One at a time is worked out, and takes what the planning loop leaves of the processor.
 */
@Singleton
public class ConsoleAnswers {
    private final Semaphore turn = new Semaphore(1);

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
        if (!turn.tryAcquire()) {
            throw new Refused(429, "another job is being explained: ask again in a second");
        }
        try {
            FutureTask<Lines> work = new FutureTask<>(() -> explained(job, look));
            BackgroundThread.of("console-explain", work).start();
            return work.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("job " + namespace + "/" + name + " cannot be explained", e.getCause());
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
}
