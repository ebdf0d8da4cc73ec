package dev.lightpath.console;

import dev.lightpath.console.Happening.Kind;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.job.Prediction;
import dev.lightpath.crds.job.TrainingJob;
import dev.lightpath.crds.slice.Allocation;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.Programmed;
import dev.lightpath.planner.words.Counted;
import dev.lightpath.reading.SliceParts;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What happened between two looks: faults that began and ended, places that were decided, light that came and went,
 * jobs whose state or prediction changed. What one look alone shows is not told. Linear in objects and faults.
 */
public final class Changes {
    private final String at;
    private final List<Happening> happenings = new ArrayList<>();

    private Changes(Instant at) {
        this.at = at.toString();
    }

    public static List<Happening> between(Look before, Look now) {
        Changes changes = new Changes(now.at());
        Map<String, OpticalFabric> fabrics = byName(before.fabrics());
        now.fabrics().forEach(fabric -> changes.fabric(fabrics.get(key(fabric)), fabric));
        Map<String, TrainingJob> jobs = byName(before.jobs());
        now.jobs().forEach(job -> changes.job(jobs.remove(key(job)), job));
        jobs.values()
                .forEach(gone -> changes.tell(
                        Kind.STATE,
                        "job/",
                        gone,
                        null,
                        gone.getMetadata().getName(),
                        "Deleted",
                        "the job is gone",
                        false));
        Map<String, FabricSlice> slices = byName(before.slices());
        now.slices().forEach(slice -> changes.slice(slices.get(key(slice)), slice));
        return changes.happenings;
    }

    private static <T extends HasMetadata> Map<String, T> byName(List<T> objects) {
        Map<String, T> named = new HashMap<>();
        objects.forEach(object -> named.put(key(object), object));
        return named;
    }

    private static String key(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    private void tell(
            Kind kind,
            String type,
            HasMetadata about,
            @Nullable String fabric,
            @Nullable String job,
            String reason,
            String message,
            boolean warning) {
        happenings.add(new Happening(
                at,
                kind,
                type + about.getMetadata().getName(),
                about.getMetadata().getNamespace(),
                fabric,
                job,
                reason,
                message,
                warning,
                1));
    }

    private void fabric(@Nullable OpticalFabric before, OpticalFabric now) {
        if (before == null) {
            return;
        }
        String name = now.getMetadata().getName();
        Map<String, FaultRecord> were = faults(before);
        Map<String, FaultRecord> are = faults(now);
        were.forEach((subject, fault) -> {
            if (!are.containsKey(subject)) {
                happenings.add(new Happening(
                        at, Kind.HEALED, subject, null, name, null, fault.reason(), "the fault is over", false, 1));
            }
        });
        if (!Objects.equals(before.getSpec().paused(), now.getSpec().paused())) {
            tell(
                    Kind.ACT,
                    "fabric/",
                    now,
                    name,
                    null,
                    now.getSpec().paused() ? "Paused" : "Resumed",
                    now.getSpec().paused() ? "no light moves until it is resumed" : "light may move again",
                    now.getSpec().paused());
        }
    }

    private static Map<String, FaultRecord> faults(OpticalFabric fabric) {
        Map<String, FaultRecord> faults = new HashMap<>();
        if (fabric.getStatus() != null) {
            fabric.getStatus().faults().forEach(fault -> faults.put(fault.subject(), fault));
        }
        return faults;
    }

    private void job(@Nullable TrainingJob before, TrainingJob now) {
        if (before == null) {
            tell(
                    Kind.STATE,
                    "job/",
                    now,
                    null,
                    now.getMetadata().getName(),
                    "Created",
                    Counted.of(now.getSpec().parallelism().gpus(), "GPU") + " requested",
                    false);
            return;
        }
        String was = seconds(before);
        String is = seconds(now);
        if (was != null && is != null && !was.equals(is)) {
            boolean longer = Double.parseDouble(is) > Double.parseDouble(was);
            tell(
                    Kind.LIGHT,
                    "job/",
                    now,
                    null,
                    now.getMetadata().getName(),
                    longer ? "IterationLonger" : "IterationShorter",
                    "an iteration of " + is + " s instead of " + was + " s",
                    longer);
        }
    }

    private static @Nullable String seconds(TrainingJob job) {
        Prediction prediction = job.getStatus() == null ? null : job.getStatus().prediction();
        return prediction == null ? null : prediction.iterationSeconds();
    }

    private void slice(@Nullable FabricSlice before, FabricSlice now) {
        if (SliceParts.isPart(now)) {
            return;
        }
        String fabric = now.getSpec().fabric();
        String job = now.getSpec().job() == null ? null : now.getSpec().job().name();
        Allocation was = allocation(before);
        Allocation is = allocation(now);
        if (is != null && (was == null || was.revision() != is.revision())) {
            var origin = is.origin();
            tell(
                    Kind.DECISION,
                    "slice/",
                    now,
                    fabric,
                    job,
                    "Recorded",
                    "revision " + is.revision()
                            + (origin == null ? "" : ": " + origin.why() + " (" + origin.planner() + ")"),
                    false);
        }
        boolean lit = lit(now);
        if (lit != lit(before)) {
            Programmed programmed =
                    now.getStatus() == null ? null : now.getStatus().programmed();
            tell(
                    Kind.LIGHT,
                    "slice/",
                    now,
                    fabric,
                    job,
                    lit ? "Lit" : "Dark",
                    lit
                            ? "all " + Counted.of(programmed == null ? 0 : programmed.total(), "circuit")
                                    + " lit and qualified"
                            : "circuits are missing or not qualified",
                    !lit);
        }
    }

    private static @Nullable Allocation allocation(@Nullable FabricSlice slice) {
        return slice == null || slice.getStatus() == null
                ? null
                : slice.getStatus().allocation();
    }

    private static boolean lit(@Nullable FabricSlice slice) {
        return slice != null
                && slice.getStatus() != null
                && holds(slice.getStatus().conditions(), ConditionType.QUALIFIED);
    }

    private static boolean holds(List<Condition> conditions, ConditionType type) {

        return conditions.stream().anyMatch(of -> of.getType().equals(type.word()) && "True".equals(of.getStatus()));
    }
}
