package dev.lightpath.app.cluster;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** Tells of every resource that changed as it matters, first of one that is gone that it is. */
record ChangeHandler<T>(Consumer<T> changed, BiPredicate<T, T> matters, Consumer<T> deleted)
        implements ResourceEventHandler<T> {
    @Override
    public void onAdd(T added) {
        changed.accept(added);
    }

    @Override
    public void onUpdate(T before, T now) {
        if (matters.test(before, now)) {
            changed.accept(now);
        }
    }

    @Override
    public void onDelete(T gone, boolean finalStateUnknown) {
        deleted.accept(gone);
        changed.accept(gone);
    }
}
