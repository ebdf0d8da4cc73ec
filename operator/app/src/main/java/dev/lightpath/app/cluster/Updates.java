package dev.lightpath.app.cluster;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.BiConsumer;

/** Tells of changes of what was there before, with both. */
record Updates<T>(BiConsumer<T, T> told) implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T added) {}

    @Override
    public void onUpdate(T before, T now) {
        told.accept(before, now);
    }

    @Override
    public void onDelete(T gone, boolean finalStateUnknown) {}
}
