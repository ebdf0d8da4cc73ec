package dev.lightpath.cli.cluster.console;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.cli.cluster.change.Proposal;
import dev.lightpath.cli.cluster.forecast.SimulateFaultCommand;
import dev.lightpath.cli.cluster.show.ExplainCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the console asks beside its views: by the code of the command line, with the user's rights. */
record Answers(Cluster api, OperatorOptions operator, boolean readOnly) {
    /** Who is asked, as whom, and what can be asked. */
    record Session(String where, String who, List<String> can) {}

    record Lines(List<String> lines) {}

    Session session() {
        var config = api.client().getConfiguration();
        var context = config.getCurrentContext();
        return new Session(
                context == null ? config.getMasterUrl() : context.getName() + " · " + config.getMasterUrl(),
                context == null || context.getContext().getUser() == null
                        ? "the service account of this pod"
                        : context.getContext().getUser(),
                readOnly ? List.of("explain", "what-if") : List.of("explain", "what-if", "acts"));
    }

    /** What {@code explain tj/NAME} says. */
    Lines explain(String namespace, String job) {
        return lines(ExplainCommand.answer(new Cluster(api.client(), namespace), operator, job)
                .table()
                .render());
    }

    /** What {@code simulate-fault} says; what it remarks comes first. */
    Lines whatIf(String fault) {
        List<String> remarks = new ArrayList<>();
        List<String> lines = SimulateFaultCommand.lines(api, operator, fault, remarks::add);
        List<String> all = new ArrayList<>(
                remarks.stream().filter(line -> !line.contains("asking DELTA")).toList());
        all.addAll(lines);
        return new Lines(all);
    }

    /** What an act would do. */
    Proposal propose(String act, String object) {
        return Proposal.of(api, act, object);
    }

    /** Acts. */
    Lines carryOut(String act, String object) {
        return lines(
                Proposal.of(api, act, object).carryOut(api).answer().table().render());
    }

    private static Lines lines(String page) {
        return new Lines(page.lines().toList());
    }

    Optional<String> refusesActs() {
        return readOnly ? Optional.of("this console was started with --read-only") : Optional.empty();
    }
}
