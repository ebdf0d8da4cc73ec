package dev.lightpath.console;

import dev.lightpath.crds.ApiGroup;
import dev.lightpath.crds.ConditionType;
import dev.lightpath.crds.fabric.FaultRecord;
import dev.lightpath.crds.fabric.OpticalFabric;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What happened, the newest first: the faults that hold, when each object became or ceased to be Ready, the events that
 * the operator wrote, and what was seen to change.
 *
 * @param recordedSince since when changes were watched, RFC 3339; null where they are not
 * @param complete whether nothing older was left out
 */
public record Timeline(@Nullable String recordedSince, boolean complete, List<Happening> happenings) {
    private static final int MOST = 2_000;

    /** O(n log n) in all that happened. */
    public static Timeline of(Look look, List<Happening> seen, @Nullable Instant since) {
        List<Happening> all = new ArrayList<>();
        seen.stream().filter(each -> shown(each, look.sight())).forEach(all::add);
        if (look.sight().fabrics()) {
            look.fabrics().forEach(fabric -> faults(all, fabric));
            states(
                    all,
                    look.fabrics(),
                    "fabric/",
                    of -> of.getStatus() == null ? List.of() : of.getStatus().conditions());
            states(
                    all,
                    look.switches(),
                    "switch/",
                    of -> of.getStatus() == null ? List.of() : of.getStatus().conditions());
        }
        states(
                all,
                look.shownJobs(),
                "job/",
                of -> of.getStatus() == null ? List.of() : of.getStatus().conditions());
        look.events().stream()
                .filter(event -> ours(event, look.sight()))
                .map(Timeline::happening)
                .forEach(all::add);
        all.sort(Comparator.comparing((Happening each) -> moment(each.at())).reversed());
        return new Timeline(
                since == null ? null : since.toString(),
                all.size() <= MOST,
                List.copyOf(all.subList(0, Math.min(all.size(), MOST))));
    }

    private static boolean shown(Happening each, Sight sight) {
        return each.namespace() == null ? sight.fabrics() : sight.shows(each.namespace());
    }

    private static void faults(List<Happening> all, OpticalFabric fabric) {
        if (fabric.getStatus() != null) {
            for (FaultRecord fault : fabric.getStatus().faults()) {
                all.add(new Happening(
                        fault.since(),
                        Happening.Kind.FAULT,
                        fault.subject(),
                        null,
                        fabric.getMetadata().getName(),
                        null,
                        fault.reason(),
                        fault.told() + (Boolean.TRUE.equals(fault.quarantined()) ? "; quarantined" : ""),
                        true,
                        1));
            }
        }
    }

    private static <T extends HasMetadata> void states(
            List<Happening> all, List<T> objects, String type, Function<T, List<Condition>> conditions) {
        for (T object : objects) {
            conditions.apply(object).stream()
                    .filter(of -> of.getType().equals(ConditionType.READY.word()))
                    .filter(of -> of.getLastTransitionTime() != null)
                    .forEach(of -> all.add(new Happening(
                            of.getLastTransitionTime(),
                            Happening.Kind.STATE,
                            type + object.getMetadata().getName(),
                            object.getMetadata().getNamespace(),
                            type.equals("fabric/") ? object.getMetadata().getName() : null,
                            type.equals("job/") ? object.getMetadata().getName() : null,
                            "True".equals(of.getStatus()) ? "Ready" : Objects.requireNonNullElse(of.getReason(), ""),
                            Objects.requireNonNullElse(of.getMessage(), ""),
                            !"True".equals(of.getStatus()),
                            1)));
        }
    }

    /** Events of cluster-scoped objects live in a namespace, and are about none. */
    private static boolean ours(Event event, Sight sight) {
        var about = event.getInvolvedObject();
        if (about == null
                || about.getApiVersion() == null
                || !about.getApiVersion().startsWith(ApiGroup.NAME + "/")) {
            return false;
        }
        return about.getNamespace() == null || about.getNamespace().isEmpty()
                ? sight.fabrics()
                : sight.shows(about.getNamespace());
    }

    private static Happening happening(Event event) {
        var about = event.getInvolvedObject();
        String type = switch (Objects.requireNonNullElse(about.getKind(), "")) {
            case "OpticalFabric" -> "fabric/";
            case "OpticalSwitch" -> "switch/";
            case "TrainingJob" -> "job/";
            case "FabricSlice" -> "slice/";
            default -> "";
        };
        String last = event.getLastTimestamp() != null
                ? event.getLastTimestamp()
                : event.getEventTime() != null
                        ? event.getEventTime().getTime()
                        : Objects.requireNonNullElse(event.getMetadata().getCreationTimestamp(), "");
        return new Happening(
                last,
                Happening.Kind.EVENT,
                type + about.getName(),
                about.getNamespace() == null || about.getNamespace().isEmpty() ? null : about.getNamespace(),
                type.equals("fabric/") ? about.getName() : null,
                type.equals("job/") ? about.getName() : null,
                Objects.requireNonNullElse(event.getReason(), ""),
                Objects.requireNonNullElse(event.getMessage(), ""),
                "Warning".equals(event.getType()),
                event.getCount() == null ? 1 : event.getCount());
    }

    /** The beginning of time for what is no moment. */
    private static Instant moment(String at) {
        try {
            return OffsetDateTime.parse(at).toInstant();
        } catch (DateTimeException none) {
            return Instant.EPOCH;
        }
    }
}
