package dev.lightpath.app.publish.status;

import dev.lightpath.app.cluster.ResourceVersion;
import dev.lightpath.app.conditions.LightPace;
import dev.lightpath.app.measuring.MeasurementsRead;
import dev.lightpath.app.measuring.QueriedTimes;
import dev.lightpath.app.publish.status.Unguarded.AdmissionPolicies;
import dev.lightpath.crds.fabric.DegradingPort;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.fabric.OpticalFabricStatus;
import dev.lightpath.crds.fabric.OpticalHealthStatus;
import dev.lightpath.crds.opticalswitch.OpticalSwitch;
import dev.lightpath.crds.opticalswitch.OpticalSwitchStatus;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceStatus;
import dev.lightpath.planner.engine.decision.FabricVerdict;
import dev.lightpath.planner.engine.decision.SliceVerdict;
import dev.lightpath.planner.world.RingIntent;
import dev.lightpath.planner.world.SliceId;
import dev.lightpath.planner.world.SliceIntent;
import dev.lightpath.planner.world.Workload;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings every status in line with an outcome, writing only what differs. It remembers its own writes, because the
 * watch shows them late. A status that could not be written is tried again after the others, later each time. If the
 * API server does not answer, the round ends. Slices of which nothing changed are not looked at. Serves one thread.
 */
public final class StatusRound {
    private static final Logger LOG = LoggerFactory.getLogger(StatusRound.class);

    private final StatusStore store;
    private final AdmissionPolicies policies;
    private final QueriedTimes measured;
    private Map<String, CustomResource<?, ?>> written = new HashMap<>();
    private Map<String, CustomResource<?, ?>> next = new HashMap<>();
    /** Slices whose status says all, as a watch shows it. */
    private Map<SliceId, Said> said = new HashMap<>();

    private Map<SliceId, Said> stillSaid = new HashMap<>();
    private final Patience patience = new Patience();
    private final ProgressPace pace = new ProgressPace();
    private final StartPace startPace = new StartPace();
    private final LightPace lightPace = new LightPace();
    private final OldDefinitions definitions = new OldDefinitions();
    private Optional<Duration> later = Optional.empty();
    private int writes;
    private boolean unanswered;
    private BooleanSupplier leading = () -> true;

    public StatusRound(StatusStore store, AdmissionPolicies policies, QueriedTimes measured) {
        this.store = store;
        this.policies = policies;
        this.measured = measured;
    }

    /**
     * What a round came to.
     *
     * @param writes statuses written
     * @param again after how long to write what could not be written or was too early; empty when everything is
     */
    public record Tally(int writes, Optional<Duration> again) {}

    private record Visit(String object, Runnable tell) {}

    /**
     * What a status says.
     *
     * @param object the key of the slice
     * @param verdict the same object in the next outcome, unless something of the slice changed
     */
    private record Said(String object, FabricSlice seen, SliceVerdict verdict) {
        @SuppressWarnings("ReferenceEquality")
        boolean isOf(FabricSlice now, SliceVerdict concluded) {
            return seen == now && verdict == concluded;
        }
    }

    public Tally run(Outcome outcome, Instant now) {
        return run(outcome, now, () -> true);
    }

    /**
     * @param leading whether what was found out is still this process's to tell: nothing more is written once it is not
     */
    public Tally run(Outcome outcome, Instant now, BooleanSupplier leading) {
        this.leading = leading;
        writes = 0;
        unanswered = false;
        later = Optional.empty();
        next = new HashMap<>();
        stillSaid = new HashMap<>();
        List<Visit> visits = visits(outcome, now);
        List<Visit> failed =
                visits.stream().filter(visit -> patience.tried(visit.object())).toList();
        patience.keep(failed.stream().map(Visit::object).toList());
        visits.stream()
                .filter(visit -> !patience.tried(visit.object()))
                .toList()
                .forEach(visit -> visit.tell().run());
        failed.forEach(visit -> visit.tell().run());
        Set<String> visited = Stream.concat(
                        visits.stream().map(Visit::object),
                        stillSaid.values().stream().map(Said::object))
                .collect(Collectors.toSet());
        pace.keep(visited::contains);
        startPace.keep(visited::contains);
        lightPace.keep(visited::contains);
        written = next;
        said = stillSaid;
        return new Tally(
                writes,
                unanswered
                        ? Optional.of(Patience.UNANSWERED)
                        : Stream.concat(patience.next(now).stream(), later.stream())
                                .min(Duration::compareTo));
    }

    private List<Visit> visits(Outcome outcome, Instant now) {
        List<Visit> visits = new ArrayList<>();
        for (OpticalFabric fabric : store.fabrics()) {
            visits.add(new Visit(key(fabric), () -> fabric(fabric, outcome, now)));
        }
        for (OpticalSwitch device : store.switches()) {
            visits.add(new Visit(key(device), () -> opticalSwitch(device, outcome, now)));
        }
        outcome.deliberation()
                .slices()
                .forEach((id, verdict) -> store.slice(id).ifPresent(seen -> {
                    @Nullable Said last = said.get(id);
                    if (last != null && last.isOf(seen, verdict)) {
                        stillSaid.put(id, last);
                    } else {
                        visits.add(new Visit(key(seen), () -> slice(id, seen, verdict, isForPods(outcome, id), now)));
                    }
                }));
        return visits;
    }

    private static String key(OpticalFabric fabric) {
        return "fabric/" + fabric.getMetadata().getName();
    }

    private static String key(OpticalSwitch device) {
        return "switch/" + device.getMetadata().getName();
    }

    private static String key(FabricSlice slice) {
        return "slice/" + slice.getMetadata().getNamespace() + "/"
                + slice.getMetadata().getName();
    }

    private void fabric(OpticalFabric seen, Outcome outcome, Instant now) {
        OpticalFabric known = newest(key(seen), seen);
        @Nullable OpticalFabricStatus before = known.getStatus();
        OpticalFabricStatus whole = whole(seen, outcome, before, generation(known), now);
        OpticalFabricStatus after = definitions.tellable(whole, before, now);
        if (!after.equals(whole)) {
            soon(definitions.waitForNames(now));
        }
        boolean light = before != null && LightPace.isNews(before.opticalHealth(), after.opticalHealth());
        if (before != null
                && !StatusNews.isNews(before, after)
                && !(light && isDue(key(seen), before.opticalHealth(), after.opticalHealth(), now))) {
            patience.succeeded(key(seen));
            return;
        }
        OpticalFabric object = new OpticalFabric();
        object.setMetadata(identity(known));
        // quarantine is read back from this status, so a process that has not seen all of it, such as a former leader,
        // must not write it
        object.getMetadata().setResourceVersion(known.getMetadata().getResourceVersion());
        object.setStatus(after);
        Optional<OpticalFabric> answer = write(key(seen), object, now);
        answer.ifPresent(made -> definitions.wrote(after, made.getStatus(), now));
        if (answer.isPresent()) {
            if (before != null && light) {
                lightPace.told(key(seen), before.opticalHealth(), after.opticalHealth(), now);
            }
            FabricEvents.between(before, after).forEach(happening -> store.tell(known, happening));
        }
    }

    /** What is concluded about a fabric, and what else is to be said there. */
    private OpticalFabricStatus whole(
            OpticalFabric seen, Outcome outcome, @Nullable OpticalFabricStatus before, long generation, Instant now) {
        OpticalFabricStatus concluded = concluded(seen.getMetadata().getName(), outcome, before, generation, now);
        OpticalFabricStatus guarded = Unguarded.with(policies.notInForce(), concluded, before, generation, now);
        return MeasurementsRead.with(measured, seen, guarded, before, generation, now);
    }

    private static OpticalFabricStatus concluded(
            String name, Outcome outcome, @Nullable OpticalFabricStatus before, long generation, Instant now) {
        @Nullable FabricVerdict verdict = outcome.deliberation().fabrics().get(name);
        @Nullable RingIntent ring = outcome.world().rings().get(name);
        if (verdict != null && ring != null) {
            return FabricStatusProjector.project(
                    verdict, ring, outcome.world().driver(ring.driver()), before, generation, now);
        }
        if (verdict != null && outcome.world().ocsFabrics().containsKey(name)) {
            return OcsStatusProjector.project(outcome, name, before, generation, now);
        }
        @Nullable String contradiction = outcome.world().unreadable().fabrics().get(name);
        return contradiction != null
                ? UnattendedStatus.impossible(before, generation, now, contradiction)
                : UnattendedStatus.pending(before, generation, now);
    }

    /** Whether news of how light fares is told now; what has to wait is looked at again. */
    private boolean isDue(
            String key, @Nullable OpticalHealthStatus before, @Nullable OpticalHealthStatus after, Instant now) {
        Optional<Duration> wait = lightPace.wait(key, before, after, now);
        soon(wait);
        return wait.isEmpty();
    }

    /** Of a switch it is told how many ports get worse, as often as of a fabric. Its ports have numbers for names. */
    private static OpticalHealthStatus light(OpticalSwitchStatus status) {
        int degraded = status.ports() == null ? 0 : status.ports().degraded();
        return new OpticalHealthStatus(
                0,
                degraded,
                0,
                IntStream.rangeClosed(1, degraded)
                        .mapToObj(port ->
                                new DegradingPort(Integer.toString(port), null, "", "", DegradingPort.Course.TOLD))
                        .toList());
    }

    private void opticalSwitch(OpticalSwitch seen, Outcome outcome, Instant now) {
        String key = key(seen);
        OpticalSwitch known = newest(key, seen);
        OpticalSwitchStatus after = SwitchStatusProjector.project(
                seen.getMetadata().getName(),
                seen.getSpec().fabric(),
                outcome,
                known.getStatus(),
                generation(known),
                now);
        OpticalSwitchStatus before = known.getStatus();
        boolean light = before != null && LightPace.isNews(light(before), light(after));
        if (before == null
                || StatusNews.isNews(before, after)
                || light && isDue(key, light(before), light(after), now)) {
            OpticalSwitch object = new OpticalSwitch();
            object.setMetadata(identity(known));
            if (after.discovery() != null) {
                // which circuits are probes is read back from this status
                object.getMetadata().setResourceVersion(known.getMetadata().getResourceVersion());
            }
            object.setStatus(after);
            if (write(key, object, now).isPresent()) {
                if (before != null && light) {
                    lightPace.told(key, light(before), light(after), now);
                }
                SwitchEvents.between(before, after).forEach(happening -> store.tell(known, happening));
            }
        } else {
            patience.succeeded(key);
        }
    }

    /** Whether pods wait to be told of its place. */
    private static boolean isForPods(Outcome outcome, SliceId id) {
        @Nullable SliceIntent intent = outcome.world().slices().get(id);
        return intent == null || !(intent.workload() instanceof Workload.LightOnly);
    }

    private void slice(SliceId id, FabricSlice seen, SliceVerdict verdict, boolean forPods, Instant now) {
        String key = key(seen);
        FabricSlice known = newest(key, seen);
        FabricSliceStatus before = known.getStatus();
        FabricSliceStatus whole = SliceStatusProjector.project(
                new SliceId(
                        known.getMetadata().getNamespace(), known.getMetadata().getName()),
                verdict,
                before,
                generation(known),
                now);
        FabricSliceStatus after = definitions.tellable(whole, before, now);
        if (!after.equals(whole)) {
            soon(definitions.wait(now));
        }
        if (before != null && !StatusNews.isNews(before, after)) {
            pace.said(key);
            patience.succeeded(key);
            if (!next.containsKey(key) && after.equals(whole)) {
                stillSaid.put(id, new Said(key, seen, verdict));
            }
            return;
        }
        Optional<Duration> wait = before == null
                ? Optional.empty()
                : startPace.wait(key, forPods, before, after, now).or(() -> pace.wait(key, before, after, now));
        if (wait.isPresent()) {
            patience.succeeded(key);
            soon(wait);
            return;
        }
        FabricSlice object = new FabricSlice();
        object.setMetadata(identity(known));
        object.setStatus(after);
        write(key, object, now).ifPresent(answer -> definitions.wrote(after, answer.getStatus(), now));
    }

    private void soon(Optional<Duration> wait) {
        later = Stream.concat(later.stream(), wait.stream()).min(Duration::compareTo);
    }

    /** The object as seen or as our last write left it, whichever is newer. */
    @SuppressWarnings("unchecked")
    private <T extends CustomResource<?, ?>> T newest(String key, T seen) {
        CustomResource<?, ?> ours = written.get(key);
        if (ours == null
                || !Objects.equals(
                        ours.getMetadata().getUid(), seen.getMetadata().getUid())
                || version(seen) >= version(ours)) {
            return seen;
        }
        next.put(key, ours);
        return (T) ours;
    }

    private static long version(CustomResource<?, ?> object) {
        return ResourceVersion.number(object.getMetadata().getResourceVersion());
    }

    private static long generation(CustomResource<?, ?> object) {
        Long generation = object.getMetadata().getGeneration();
        return generation == null ? 0 : generation;
    }

    /** With the uid, so that an object made anew under the same name is not taken for the old one. */
    private static ObjectMeta identity(CustomResource<?, ?> object) {
        return new ObjectMetaBuilder()
                .withName(object.getMetadata().getName())
                .withNamespace(object.getMetadata().getNamespace())
                .withUid(object.getMetadata().getUid())
                .build();
    }

    /** @return what the API server made of it; empty where it was not written */
    private <T extends CustomResource<?, ?>> Optional<T> write(String key, T object, Instant now) {
        if (unanswered || !leading.getAsBoolean() || patience.holds(key, now)) {
            return Optional.empty();
        }
        try {
            T answer = store.write(object);
            next.put(key, answer);
            writes++;
            patience.succeeded(key);
            return Optional.of(answer);
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND || madeAnew(e)) {
                patience.succeeded(key);
                return Optional.empty();
            }
            unanswered = e.getCode() == 0;
            if (unanswered) {
                patience.unanswered(key, now);
            } else {
                patience.failed(key, now);
            }
            LOG.atWarn().addKeyValue("object", key).log("its status could not be written: " + e.getMessage());
            return Optional.empty();
        }
    }

    /** The watch will show the new object. */
    private static boolean madeAnew(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT
                && e.getMessage() != null
                && e.getMessage().contains("UID");
    }
}
