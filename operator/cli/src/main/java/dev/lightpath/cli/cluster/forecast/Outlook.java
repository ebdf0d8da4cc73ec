package dev.lightpath.cli.cluster.forecast;

import dev.lightpath.cli.cluster.access.Cluster;
import dev.lightpath.cli.cluster.access.OperatorOptions;
import dev.lightpath.cli.cluster.access.OperatorView;
import dev.lightpath.console.ForeignLight;
import dev.lightpath.console.Look;
import dev.lightpath.console.ReadBack;
import dev.lightpath.console.Sight;
import dev.lightpath.console.forecast.FaultOutlook;
import dev.lightpath.console.forecast.JobOutlook;
import dev.lightpath.console.text.BadInput;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.planner.ask.TopologyAnswer;
import dev.lightpath.planner.ask.TopologyQuestion;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.reading.pod.PodAttribution;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the operator would do next, simulated on one listing of everything it looks at. */
final class Outlook {
    private final Cluster cluster;
    private final OperatorOptions operator;
    private final Consumer<String> remark;
    private final Look look;
    private final PodAttribution pods;

    @Nullable
    private OperatorView view;

    @Nullable
    private BadInput unreachable;

    private Outlook(Cluster cluster, OperatorOptions operator, Consumer<String> remark) {
        this.cluster = cluster;
        this.operator = operator;
        this.remark = remark;
        this.look = new Look(
                Instant.now(),
                Optional.empty(),
                cluster.fabrics(),
                cluster.switches(),
                cluster.jobs(Optional.empty()),
                cluster.slices(Optional.empty()),
                cluster.nodes(),
                List.of(),
                Map.of(),
                Sight.ALL);
        this.pods = cluster.attributed(look.jobs(), look.slices(), look.nodes());
    }

    /** @param remark takes lines for a person, beside the answer */
    static Outlook over(Cluster cluster, OperatorOptions operator, Consumer<String> remark) {
        return new Outlook(cluster, operator, remark);
    }

    /** Where jobs would be placed. */
    JobOutlook jobs() {
        return new JobOutlook(look, pods, this::foreign, new TimedSolver(System::nanoTime), cluster);
    }

    /** All fabrics as they are, for a fault to strike. */
    FaultOutlook faults() {
        return new FaultOutlook(look, pods, this::foreign, asking(), () -> false, remark);
    }

    /** DELTA, with a line for a person who waits. */
    private Function<TopologyQuestion, TopologyAnswer> asking() {
        Function<TopologyQuestion, TopologyAnswer> solver = new TimedSolver(System::nanoTime);
        return question -> {
            remark.accept("lightpath: asking DELTA for circuits between "
                    + question.ports().size() + " pods ...");
            return solver.apply(question);
        };
    }

    /**
     * Nodes with light that nobody planned: only the operator that leads the fabric knows them all, the status names
     * some.
     */
    private Set<String> foreign(OpticalFabric fabric) {
        ForeignLight told = ForeignLight.of(fabric, null);
        if (told.circuits().isEmpty() && told.unnamed() == 0) {
            return Set.of();
        }
        String name = fabric.getMetadata().getName();
        Set<String> devices = new TreeSet<>(told.devices());
        String unknown = "another replica leads it";
        try {
            Optional<OperatorView.FabricView> led = view().fabrics().stream()
                    .filter(known -> known.name().equals(name))
                    .findFirst();
            if (led.isPresent()) {
                return ReadBack.devices(led.get().foreign());
            }
        } catch (BadInput unreachable) {
            unknown = String.valueOf(unreachable.getMessage());
        }
        if (told.unnamed() > 0) {
            remark.accept("lightpath: fabric " + name + " has " + Counted.of(told.unnamed(), "more circuit")
                    + " that nobody planned; on which nodes is not known here, so that the operator may place"
                    + " jobs elsewhere: " + unknown);
        }
        return devices;
    }

    /** Asked for once, whether it comes or not. */
    private OperatorView view() {
        if (unreachable != null) {
            throw unreachable;
        }
        if (view == null) {
            try {
                view = operator.view(cluster);
            } catch (BadInput none) {
                unreachable = none;
                throw none;
            }
        }
        return view;
    }
}
