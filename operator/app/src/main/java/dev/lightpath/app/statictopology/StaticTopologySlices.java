package dev.lightpath.app.statictopology;

import dev.lightpath.app.Patches;
import dev.lightpath.app.conditions.Darkness;
import dev.lightpath.app.objects.Alone;
import dev.lightpath.app.objects.FinalizerPatch;
import dev.lightpath.crds.FieldManager;
import dev.lightpath.crds.LightpathAnnotations;
import dev.lightpath.crds.LightpathNames;
import dev.lightpath.crds.fabric.OpticalFabric;
import dev.lightpath.crds.slice.Demand;
import dev.lightpath.crds.slice.FabricSlice;
import dev.lightpath.crds.slice.FabricSliceSpec;
import dev.lightpath.reading.SliceIntentReader;
import dev.lightpath.reading.SliceParts;
import dev.lightpath.reading.label.SliceLabels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every fabric with a static topology its FabricSlice, in the operator's own namespace. A fabric that is deleted
 * goes at once and leaves its light alone, its slice follows; one whose administrator asks for darkness first waits for
 * its slice to be released.
 */
public final class StaticTopologySlices {
    private static final Logger LOG = LoggerFactory.getLogger(StaticTopologySlices.class);
    private static final int LONGEST_NAME = 63;
    private static final String SUFFIX = "-topology";
    private static final PatchContext JSON_PATCH = Patches.json(FieldManager.WORKLOAD);

    private static final PatchContext MERGE_PATCH = Patches.merge(FieldManager.WORKLOAD);

    /** The object is gone, or was written since it was seen. */
    private static final Set<Integer> LATE =
            Set.of(HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT, 422);

    private final KubernetesClient client;
    private final String namespace;

    /** @param namespace the operator's own */
    public StaticTopologySlices(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** The name of a fabric's slice; names too long for one are told apart by a hash. */
    public static String name(String fabric) {
        String name = fabric + SUFFIX;
        if (name.length() <= LONGEST_NAME) {
            return name;
        }
        String hash = String.format("-%08x", fabric.hashCode());
        String cut = fabric.substring(0, LONGEST_NAME - SUFFIX.length() - hash.length());
        // nothing but a letter or a digit may be before a dot and after it
        return (cut.endsWith(".") ? cut.substring(0, cut.length() - 1) : cut) + hash + SUFFIX;
    }

    /**
     * Brings slices in line with fabrics, as last seen of both; nothing is written when they are.
     *
     * @param leads whether this is this process's to do still: asked before each step
     * @return false when the API server refused something, or this process leads no more: to be done again
     * @throws KubernetesClientException when it does not answer
     */
    public boolean tend(Collection<OpticalFabric> fabrics, Collection<FabricSlice> slices, BooleanSupplier leads) {
        boolean done = true;
        for (OpticalFabric fabric : fabrics) {
            if (!leads.getAsBoolean()) {
                return false;
            }
            done &= Alone.tend(fabric, () -> {
                tend(fabric, slices);
                return true;
            });
        }
        for (FabricSlice slice : slices) {
            if (!leads.getAsBoolean()) {
                return false;
            }
            if (standing(slice)
                    && fabrics.stream()
                            .noneMatch(fabric -> fabric.getMetadata()
                                    .getName()
                                    .equals(slice.getSpec().fabric()))) {
                done &= Alone.tend(slice, () -> {
                    if (isGone(slice.getSpec().fabric())) {
                        delete(slice);
                    }
                    return true;
                });
            }
        }
        return done;
    }

    private void tend(OpticalFabric fabric, Collection<FabricSlice> slices) {
        Optional<FabricSlice> slice = slices.stream()
                .filter(StaticTopologySlices::standing)
                .filter(of -> of.getSpec().fabric().equals(fabric.getMetadata().getName()))
                .findFirst();
        if (fabric.getMetadata().getDeletionTimestamp() != null) {
            retire(fabric);
        } else if (SliceIntentReader.staticTopology(fabric)) {
            patch(fabric, FinalizerPatch::adding);
            slice.ifPresent(this::relabel);
            if (slice.isEmpty()) {
                create(fabric);
            } else if (slice.get().getMetadata().getDeletionTimestamp() != null) {
                // deleted by hand while wanted: its light stays, the slice is written again
                patch(slice.get(), FinalizerPatch::removing);
            }
        } else {
            slice.filter(Darkness::isReleased).ifPresent(this::delete);
        }
    }

    /** Asked of the API server: who made the slice may have seen a fabric that is not seen here yet. */
    private boolean isGone(String fabric) {
        return client.resources(OpticalFabric.class).withName(fabric).get() == null;
    }

    private static boolean standing(FabricSlice slice) {
        return slice.getSpec().job() == null
                && slice.getSpec().demand().topology() != null
                && !SliceParts.isPart(slice);
    }

    private void retire(OpticalFabric fabric) {
        if (!SliceIntentReader.releasesOnDeletion(fabric) || isDark(fabric)) {
            patch(fabric, FinalizerPatch::removing);
        }
    }

    /** Asked of the API server: what was last seen may be older than the slice that is there now. */
    private boolean isDark(OpticalFabric fabric) {
        FabricSlice now = client.resources(FabricSlice.class)
                .inNamespace(namespace)
                .withName(name(fabric.getMetadata().getName()))
                .get();
        return now == null || Darkness.isReleased(now) || letGo(now);
    }

    /** Whether a person releases circuits that cannot be taken down. */
    private static boolean letGo(FabricSlice slice) {
        return slice.getMetadata().getAnnotations() != null
                && slice.getMetadata().getAnnotations().containsKey(LightpathAnnotations.FORCE_RELEASE);
    }

    private void create(OpticalFabric fabric) {
        String name = fabric.getMetadata().getName();
        FabricSliceSpec spec = new FabricSliceSpec(
                name,
                null,
                0,
                new Demand(
                        null,
                        null,
                        Objects.requireNonNull(fabric.getSpec().ocs()).topology()));
        FabricSlice slice = new FabricSlice();
        slice.setMetadata(new ObjectMetaBuilder()
                .withName(name(name))
                .withNamespace(namespace)
                .withLabels(SliceLabels.of(spec))
                .withFinalizers(LightpathNames.FINALIZER)
                .build());
        slice.setSpec(spec);
        LOG.atInfo().addKeyValue("fabric", name).log("making the slice of a static topology");
        tolerating(() -> client.resource(slice).create(), Set.of(HttpURLConnection.HTTP_CONFLICT));
    }

    /** Labels are for people: labels that another client removed or changed are restored. */
    private void relabel(FabricSlice slice) {
        if (!SliceLabels.missing(slice).isEmpty()) {
            String labels = Serialization.asJson(Map.of(
                    "metadata", Map.of("uid", slice.getMetadata().getUid(), "labels", SliceLabels.missing(slice))));
            tolerating(() -> client.resource(slice).patch(MERGE_PATCH, labels), LATE);
        }
    }

    /**
     * Deletes the very version that was seen: a slice that is lit again since then stays. The finalizer of a slice that
     * is being deleted is already removed.
     */
    private void delete(FabricSlice slice) {
        LOG.atInfo().addKeyValue("slice", slice.getMetadata().getName()).log("letting a slice go");
        if (slice.getMetadata().getDeletionTimestamp() == null) {
            tolerating(
                    () -> client.resource(slice)
                            .lockResourceVersion(slice.getMetadata().getResourceVersion())
                            .delete(),
                    Set.of(HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT));
        } else {
            patch(slice, FinalizerPatch::removing);
        }
    }

    /**
     * Patches the object as last seen, or as it is now if another client wrote it since, statuses included. A person
     * who deletes a fabric as soon as it is Ready must find its finalizer there. A patch that fails again is repeated
     * at the next change.
     */
    private void patch(HasMetadata seen, Function<HasMetadata, Optional<String>> wanted) {
        try {
            wanted.apply(seen).ifPresent(patch -> client.resource(seen).patch(JSON_PATCH, patch));
        } catch (KubernetesClientException e) {
            if (!LATE.contains(e.getCode())) {
                throw e;
            }
            HasMetadata now = client.resource(seen).get();
            if (now != null
                    && now.getMetadata().getUid().equals(seen.getMetadata().getUid())) {
                tolerating(
                        () -> wanted.apply(now)
                                .ifPresent(patch -> client.resource(now).patch(JSON_PATCH, patch)),
                        LATE);
            }
        }
    }

    private static void tolerating(Runnable call, Set<Integer> codes) {
        try {
            call.run();
        } catch (KubernetesClientException e) {
            if (!codes.contains(e.getCode())) {
                throw e;
            }
        }
    }
}
