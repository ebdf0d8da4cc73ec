package dev.lightpath.app;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is asked for when something is listed: an answer needs room beside all that lives, as text and again as objects
 * (ADR 54).
 */
public final class Page {
    /** Objects in an answer. */
    public static final long OBJECTS = 500;

    /** Pods and Jobs: there are many, and nearly all are small, but tenants write them. */
    public static final long PODS = 50;

    /** Where each object may be as large as the API server stores, about 1.5 MiB, because tenants write much of it. */
    public static final long LARGE_OBJECTS = 20;

    private Page() {}

    /** All pods or Jobs that a list has, asked for in pages. */
    public static <T extends HasMetadata, L extends KubernetesResourceList<T>> List<T> all(Listable<L> list) {
        List<T> all = new ArrayList<>();
        each(list, PODS, all::addAll);
        return all;
    }

    /**
     * The pages of a list, one after the other.
     *
     * @param objects in each of them
     */
    public static <T extends HasMetadata, L extends KubernetesResourceList<T>> void each(
            Listable<L> list, long objects, Consumer<List<T>> page) {
        @Nullable String next = null;
        do {
            L answer = list.list(new ListOptionsBuilder()
                    .withLimit(objects)
                    .withContinue(next)
                    .build());
            page.accept(answer.getItems());
            next = answer.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
    }
}
